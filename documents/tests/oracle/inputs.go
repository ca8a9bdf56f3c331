package main

import (
	"encoding/json"
	"strings"
)

func emitInputs() []any {
	var inputs []any
	for _, text := range strings.Split(jsonInputs, "\n") {
		if text = strings.TrimSpace(text); text != "" {
			inputs = append(inputs, json.RawMessage(text))
		}
	}
	long := strings.Repeat("word ", 30) + "end"
	spaced := strings.Repeat("word  ", 25) + "end"
	solid := strings.Repeat("x", 120)
	scalars := []string{
		"", " ", "  ", "a", "a b", " a", "a ", "a: b", "a:b", "a:", ":a", ": a", "a #b", "a#b", "#a",
		"- a", "-a", "-", "--", "---", "--- a", "---a", "...", "....", "? a", "?a", "?", "a?", "[a", "a[b]", "{a}",
		"a{b}", "&a", "*a", "!a", "|", "|a", ">", "'a'", "it's", "\"a\"", "a\"b", "%a", "@a", "`a", "a,b", ",a",
		"true", "True", "TRUE", "tRue", "yes", "Yes", "no", "on", "off", "y", "Y", "n", "null", "Null", "~", "nil", "none",
		"0", "1", "-1", "+1", "01", "08", "0x1f", "0X1F", "0b101", "0B1", "-0b11", "0o17", "0O17", "1_000", "1__0", "_1", "1_",
		"1.5", "1.", ".5", "-.5", "+.5", ".", "..", "1e3", "1E-3", "1e", "e1", "1.5e+10", "1e400", ".inf", "-.inf", "+.Inf", ".nan", ".NaN", "inf", "nan", "NaN", "Infinity",
		"12345678901234567890", "123456789012345678901234567890", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "0x", "0xg", "0x1.8p3", "0b", "0b2", "0_1", "09.5", "1:30", "1:60", "190:20:30", "190:20:30.15", "1:2:", "-1:30", "1_0:30", "12:30:45.", "12e03",
		"2001-01-01", "2001-1-1", "2001-02-30", "2000-02-29", "2001-13-01", "2001-12-14T21:59:43.10Z", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10", "2001-12-14 21:59:43 -5", "2001-12-14 21:59", "2001-12-14T21:59:43", "2001-12-14T1:2:3Z", "2001-12-14 24:00:00", "2001-12-14 23:59:60", "99-01-01", "12001-01-01", "2001-01-01x", "2001-01-01 ", "2001-12-14T21:59:43,5Z", "2001-12-14T21:59:43+24:00", "2001-12-14T21:59:43+25:00", "2001-12-14T21:59:43+05:60", "2001-12-14T21:59:43.Z", "2001-001-1", "2001-12-14 9:5:3",
		"<<", "=", "a=b", "<", "a & b", "a<b>c",
		"a\nb", "a\nb\n", "a\n", "a\n\n", "\na", "\n", "\n\n", " a\nb", "a\n b", "a \nb", "a\nb ", "a\n\nb\n", "a\r\nb", "a\rb", "\ta", "a\tb", "a\tb\nc", "a\n\tb\n", "\n a", "a\n#b\n", "a\n---\nb", "- a\n- b\n", "k: v\nl: w\n",
		"é", "日本語", "日本 語", "\u00a0", "a\u00a0b", "a\u2028b", "a\u2029b\n", "\ufeffa", "a\ufeff", "\ufffd", "😀", "a😀b", "a😀\nb", "\u0001", "\u001b[0m", "\u0007\b\f\v", "\\", "a\\b", "a\\nb", "\"", "'", "''", "'\"", "\u200b", "\ue000", "\u0100", "a\u0300", "%", "100%", "a%b", "$a", "(a)", "/a/b", "a/b", "a;b", "~a", "^a", "a~",
		long, " " + long, long + " ", "# " + long, long + ": x", "it's: " + long, "\t" + long, "\"" + long + "\t", spaced, "# " + spaced, "\t" + spaced, "\t " + spaced, solid, solid + " " + solid, "# " + solid + " " + solid + " x", "\t" + solid + " " + solid + "  x", long + "\n" + long, long + "\n", strings.Repeat("é", 90) + " b c", "'" + strings.Repeat("a'", 50) + " b c d",
		strings.Repeat("k", 127), strings.Repeat("k", 128), strings.Repeat("k", 129), "# " + strings.Repeat("k", 126), "# " + strings.Repeat("k", 127), strings.Repeat("é", 64), strings.Repeat("é", 65),
	}
	for _, text := range scalars {
		inputs = append(inputs, text, map[string]any{"key": text}, map[string]any{text: 1}, []any{text, "z"},
			map[string]any{"a": []any{map[string]any{"b": text, "c": "d"}}})
	}
	return inputs
}

const jsonInputs = `
null
true
false
0
-1
9223372036854775807
-9223372036854775808
18446744073709551615
18446744073709551616
1.5
-0.25
1e3
1000000
123456.5
1234567.5
1e20
1e21
1e-4
1e-5
0.00001234
1.0
100000.0
123456789012345678
1.7976931348623157e308
5e-324
0.1
3.141592653589793
10000000000000000000
-1e19
12345678.9
{}
[]
{"a":{}}
{"a":[]}
{"a":null}
[[]]
[{}]
[null]
[[1,2],[3,[4,5]]]
[[[1]],[[{"a":1}]]]
{"a":[[1,2],[3]]}
{"a":[{"b":[{"c":[]}]}]}
{"a":{"b":{"c":{"d":1}}}}
{"a":[1,{"b":2,"c":[3,4]},[5]],"d":{"e":[{"f":{}}]}}
[{"a":1,"b":2},{"c":{"d":1}}]
[{"a":[1]},{"a":{"b":[2]}}]
{"a":[{"b":{"c":[{"d":"x\ny\n"}]}}]}
[{"a":"x\ny"},["x\ny\n"]]
{"b":1,"a":2,"c":3}
{"a10":1,"a2":2,"a1":3,"a":4}
{"a01":1,"a1":2,"a001":3,"a0":4,"a00":5}
{"A":1,"a":2,"B":3,"b":4,"_":5,"-":6,"1":7,"a-b":8,"a.b":9,"ab":10,"a_b":11,"a1b":12}
{"v1":1,"v10":1,"v1beta1":1,"v2":1,"v1alpha1":1}
{"1":1,"10":1,"2":1,"-1":1,"1.5":1,"true":1,"null":1,"":1,"~":1," ":1}
{"a100":1,"a20":1,"a3":1,"a1000b":1,"a1000a":1,"a010":1,"a10":1}
{"x10y2":1,"x10y10":1,"x9y9":1,"x2y100":1,"x10":1}
{"é":1,"e":1,"z":1,"Z":1,"日":1,"!":1,"~a":1}
{"a0b":1,"a00b":1,"a0":1,"a10":1,"a100":1,"a1":1,"b0":1,"10":1,"100":1,"1000":1,"1":1}
{"99999999999999999999":1,"99999999999999999998":1,"9":1}
{"tls.crt":"a","tls.key":"b",".dockerconfigjson":"{}","ca.crt":"c"}
{"apiVersion":"bitnami.com/v1alpha1","kind":"SealedSecret","metadata":{"name":"x","namespace":"y","annotations":{"sealedsecrets.bitnami.com/cluster-wide":"true"}},"spec":{"encryptedData":{"foo":"AgBy","bar":"AgCz=="},"template":{"metadata":{"name":"x","namespace":"y"},"type":"Opaque"}}}
{"apiVersion":"v1","items":[{"apiVersion":"v1","data":{"a":"MQ=="},"kind":"Secret","metadata":{"name":"s"}}],"kind":"List"}
{"a":"kubectl.kubernetes.io/last-applied-configuration: {\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"annotations\":{}}}\n"}
{"command":["sh","-c","set -e\necho \"$A\" | base64 -d > /tmp/x\nexec \"$@\"\n"],"args":["--a=b","-v"]}
`

var readInputs = append(wrap(readScalars), readDocuments...)

// wrap makes of each scalar a document with it as a value and one with it as a key.
func wrap(scalars []string) []string {
	var documents []string
	for _, scalar := range scalars {
		documents = append(documents, "v: "+scalar+"\n", scalar+": v\n")
	}
	return documents
}

var readScalars = []string{
	"", "a", "true", "True", "TRUE", "tRUE", "yes", "YES", "yEs", "no", "on", "On", "off", "y", "Y", "n", "N", "null", "Null", "NULL", "nULL", "~",
	"0", "1", "-1", "+1", "007", "017", "08", "-017", "+017", "0x1f", "0X1f", "-0x1F", "+0x1", "0b101", "0B101", "-0b11", "+0b11", "0o17", "0O17", "-0o17", "1_000", "1__000", "_1", "1_", "0x_1f", "0x1_f", "0_1", "-_1", "+", "-", "--1", "+-1", "-+1",
	"1.5", "1.", ".5", "-.5", "+.5", "-1.5", "1.0", "10.00", "1e3", "1E3", "1e+3", "1e-3", "1e", "1.5e3", ".5e1", "1_0.5", "1.5_0", "._5", ".5_0", "1e400", "-1e400", "1e-400", "1.2.3", "0.1", "-0", "-0.0", "+0", "0e0", "00", "0.0", "1e21", "1e20", "123456789.5",
	".inf", ".Inf", ".INF", "-.inf", "+.inf", ".nan", ".NaN", "inf", "nan", "Infinity", ".infinity", "0x1p4", "0x1.8p1", ".e1", ".1e", "1.e1",
	"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "+9223372036854775807", "+9223372036854775808", "123456789012345678901234567890", "0xffffffffffffffff", "0x1ffffffffffffffff", "0777777777777777777777", "01777777777777777777777", "0b1111", "-0b2", "0o8",
	"1:30", "190:20:30", "1:60", "2001-01-01", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10", "12e03", "1,000", "0.", "-.", ".",
	"\"true\"", "'1'", "\"\"", "''", "\"a\\nb\"", "'it''s'", "\"\\x41\\u00e9\\U0001F600\"", "!!str 1", "!!str true", "!!str", "!!int 5", "!!int \"5\"", "!!int a", "!!int 1.5", "!!float 5", "!!float 1.5", "!!float a", "!!bool true", "!!bool yes", "!!bool \"true\"", "!!bool a", "!!null ~", "!!null a", "!!null \"\"", "!!binary aGk=", "!!binary a", "!!binary \"/w==\"", "!!timestamp 2001-01-01", "!!timestamp \"2001-01-01\"", "!!timestamp a", "!custom 5", "!custom a", "! 5", "! \"5\"", "!<tag:yaml.org,2002:int> 5", "!!unknown 5", "<<", "\"<<\"",
}

var readDocuments = []string{
	"a: 1\nb: [x, 'y', \"z\", 1, ~]\nc: {d: e, f: }\n",
	"- 1\n- a: b\n  c: d\n-\n  - x\n- - y\n",
	"a: |\n  x\n  y\n", "a: |-\n  x\n  y\n", "a: |+\n  x\n\n", "a: >\n  x\n  y\n\n  z\n", "a: >-\n  x\n   y\n  z\n", "a: |2\n   x\n", "a: |\n  x", "a: >\n  x", "a: |+\n  x", "a: |\n\n  x\n", "a: |\nb: 1\n", "a: |-\n\nb: 1\n", "a: |+\n\n\nb: 1\n",
	"a: x\n  y\n  z\n", "a: \"x\n  y\n\n  z\"\n", "a: 'x\n  y'\n", "a: \"x\\\n  y\"\n",
	"a: &x 1\nb: *x\n", "a: &x {c: 1}\nb: *x\n", "a: &x\n  c: 1\nb:\n  <<: *x\n  d: 2\n", "a: &x {c: 1}\nb:\n  c: 2\n  <<: *x\n", "a: &x {c: 1}\nb:\n  <<: *x\n  c: 2\n", "a: &x {c: 1, e: 1}\ny: &y {c: 2, d: 2}\nb:\n  <<: [*x, *y]\n", "b:\n  <<: {c: 1}\n  d: 1\n", "b:\n  <<: 1\n", "b:\n  <<: [1]\n", "b:\n  \"<<\": 1\n", "b:\n  !!merge <<: {c: 1}\n", "a: &x [*x]\n", "a: &x {c: *x}\n", "a: *x\n", "a: &x 1\na2: &x 2\nb: *x\n", "? &x k\n: v\nb: *x\n", "*x : 1\n", "a: &x y\n*x : 1\n", "x: &m {a: 1}\nb:\n  <<: *m\n  <<: {c: 2}\n",
	"1: a\n1.5: b\n2.0: c\n1e10: d\n1e6: f\n0.1: g\n123456789.125: h\n", "~: a\n", "[a]: b\n", "{a: b}: c\n", "yes: a\n", "2001-01-01: a\n", ".inf: a\n", ".nan: a\n", "18446744073709551615: a\n", "0x10: a\n", "!!binary aGk=: a\n",
	"? a\n: b\n? c\n", "? |\n  k\n: v\n", "a:\n- 1\n- 2\nb: 3\n", "a:\n  - 1\n\n  - 2\n# c\nb: 3 # d\n", "{\"a\": 1, \"b\": [true, null, \"x\"]}", "[1, [2, [3]]]\n", "[a: 1, b]\n", "{a, b: c}\n", "{a: [b, {c: d}], }\n", "\"a\": 1\n'b': 2\n", "a: 1\r\nb: |\r\n  x\r\n  y\r\n", "# only\n", "", "---\n", "--- a\n", "--- |\n  x\n", "%YAML 1.1\n---\na: 1\n", "---\na: 1\n...\n", "a: b: c\n", "a: 'x\n", "a: [1\n", "\ta: 1\n", "a:\n\t- 1\n", "a: 1\n b: 2\n", "a: @x\n", "a: `x\n", "a: %x\n", "a: x #y\nb: x#y\n", "a: -\n", "a: - 1\n", "a: ?x\n", "a: :x\n", "a: x:y\n", "a: x, y\n", "a: http://x\n", "[x:y, http://z]\n", "{x:y}\n", "{\"x\":y}\n",
}
