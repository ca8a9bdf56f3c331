// Writes down what Kubernetes' YAML library makes of a table of inputs, so that the tests of
// signet-documents compare with it where no Go is at hand:
//
//	go run . emit > ../fixtures/kubernetes-emit.json     JSON in, YAML out
//	go run . read > ../fixtures/kubernetes-read.json     YAML in, JSON or "error" out
//
// The inputs are in inputs.go; the library and its version in go.mod.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

type row struct {
	In    string `json:"in"`
	Out   string `json:"out,omitempty"`
	Error bool   `json:"error,omitempty"`
}

func main() {
	if len(os.Args) != 2 {
		fail("usage: oracle emit|read")
	}
	var rows []row
	switch os.Args[1] {
	case "emit":
		for _, value := range emitInputs() {
			in := marshal(value)
			out, err := yaml.JSONToYAML([]byte(in))
			if err != nil {
				// The library reads its JSON as YAML, which refuses some: empty first keys, emoji.
				continue
			}
			rows = append(rows, row{In: in, Out: string(out)})
		}
	case "read":
		for _, in := range readInputs {
			out, err := yaml.YAMLToJSON([]byte(in))
			if err != nil {
				rows = append(rows, row{In: in, Error: true})
				continue
			}
			rows = append(rows, row{In: in, Out: string(out)})
		}
	default:
		fail("usage: oracle emit|read")
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(rows); err != nil {
		fail(err.Error())
	}
}

func marshal(value any) string {
	if text, ok := value.(json.RawMessage); ok {
		return string(text)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		fail(err.Error())
	}
	return string(bytes.TrimSpace(out.Bytes()))
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}
