// Answers of Go's text/template with the Sprig functions, so that tests can compare ours with them.
//
// In and out: one JSON object a line, in the form of templates/tests/fixtures. A line with "data" alone
// sets the data of the lines after it and is repeated as it is; a line with "template" is answered by the
// same line with "output" (or "base64", when the output is no UTF-8), or with "error": "parse" or "render".
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"log"
	"os"
	"strings"
	"text/template"
	"unicode/utf8"

	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/yaml"
)

// A row keeps its order of fields: what is recorded is read by people.
type row struct {
	Data     json.RawMessage `json:"data,omitempty"`
	Template *string         `json:"template,omitempty"`
	Options  string          `json:"options,omitempty"`
	Left     string          `json:"left,omitempty"`
	Right    string          `json:"right,omitempty"`
	Output   *string         `json:"output,omitempty"`
	Base64   string          `json:"base64,omitempty"`
	Error    string          `json:"error,omitempty"`
	Message  string          `json:"message,omitempty"`
	// What signet answers, where it differs on purpose. Not read here.
	Ours json.RawMessage `json:"ours,omitempty"`
}

// typed makes Go values of JSON: integers are int, and {"$strings": {…}} is a map[string]string,
// {"$texts": […]} a []string, {"$bytes": "…"} the bytes of that text.
func typed(value any) any {
	switch value := value.(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return int(whole)
		}
		float, err := value.Float64()
		if err != nil {
			log.Fatal(err)
		}
		return float
	case []any:
		for i := range value {
			value[i] = typed(value[i])
		}
		return value
	case map[string]any:
		if strings, ok := value["$strings"].(map[string]any); ok {
			typed := map[string]string{}
			for key, item := range strings {
				typed[key] = item.(string)
			}
			return typed
		}
		if texts, ok := value["$texts"].([]any); ok {
			typed := []string{}
			for _, item := range texts {
				typed = append(typed, item.(string))
			}
			return typed
		}
		if text, ok := value["$bytes"].(string); ok {
			return []byte(text)
		}
		for key, item := range value {
			value[key] = typed(item)
		}
		return value
	default:
		return value
	}
}

func decode(raw json.RawMessage) any {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		log.Fatal(err)
	}
	return typed(value)
}

// functions are Sprig's, and YAML as the External Secrets Operator reads and writes it.
func functions() template.FuncMap {
	all := sprig.TxtFuncMap()
	all["toYaml"] = func(value any) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	all["fromYaml"] = func(text string) (value any, err error) {
		err = yaml.Unmarshal([]byte(text), &value)
		return value, err
	}
	return all
}

func answer(asked row, data json.RawMessage, messages bool) row {
	said := asked
	said.Output, said.Base64, said.Error = nil, "", ""
	made := template.New("t").Funcs(functions()).Delims(asked.Left, asked.Right)
	if asked.Options != "" {
		made = made.Option(asked.Options)
	}
	parsed, err := made.Parse(*asked.Template)
	if err != nil {
		said.Error = "parse"
		if messages {
			said.Message = err.Error()
		}
		return said
	}
	var output strings.Builder
	if err := parsed.Execute(&output, decode(data)); err != nil {
		said.Error = "render"
		if messages {
			said.Message = err.Error()
		}
		return said
	}
	text := output.String()
	if utf8.ValidString(text) {
		said.Output = &text
	} else {
		said.Base64 = base64.StdEncoding.EncodeToString([]byte(text))
	}
	return said
}

func main() {
	messages := len(os.Args) > 1 && os.Args[1] == "-messages"
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	data := json.RawMessage("null")
	for in.More() {
		var asked row
		if err := in.Decode(&asked); err != nil {
			log.Fatal(err)
		}
		if asked.Template == nil {
			data = asked.Data
		} else {
			own := data
			if asked.Data != nil {
				own = asked.Data
			}
			asked = answer(asked, own, messages)
		}
		if err := encoder.Encode(asked); err != nil {
			log.Fatal(err)
		}
	}
}
