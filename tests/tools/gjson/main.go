// Answers for gjson paths, so that tests can compare ours with them.
//
// In and out: one JSON object a line. {"json": "...", "path": "..."} is answered by
// {"exists": true, "raw": "...", "text": "..."}; the text is what a Secret gets, but that the text of a
// number is kept.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	"github.com/tidwall/gjson"
)

type question struct {
	JSON string `json:"json"`
	Path string `json:"path"`
}

type answer struct {
	Exists bool   `json:"exists"`
	Raw    string `json:"raw,omitempty"`
	Text   string `json:"text,omitempty"`
}

func main() {
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for in.More() {
		var asked question
		if err := in.Decode(&asked); err != nil {
			log.Fatal(err)
		}
		if err := encoder.Encode(ask(asked)); err != nil {
			log.Fatal(err)
		}
	}
}

// Some paths are too much for gjson.
func ask(asked question) (said answer) {
	defer func() {
		if recover() != nil {
			said = answer{}
		}
	}()
	found := gjson.Get(asked.JSON, asked.Path)
	said = answer{Exists: found.Exists(), Raw: found.Raw, Text: found.String()}
	if found.Type == gjson.Number {
		said.Text = found.Raw
	}
	return said
}
