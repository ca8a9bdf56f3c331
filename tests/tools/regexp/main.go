// Answers for Go's regular expressions, so that tests can compare ours with them.
//
// In and out: one JSON object a line. {"pattern": "...", "texts": ["..."]} is answered by
// {"valid": true, "matches": [true]}, or {"valid": false} for a pattern that does not compile.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"regexp"
)

type question struct {
	Pattern string   `json:"pattern"`
	Texts   []string `json:"texts"`
}

type answer struct {
	Valid   bool   `json:"valid"`
	Matches []bool `json:"matches,omitempty"`
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
		var said answer
		if compiled, err := regexp.Compile(asked.Pattern); err == nil {
			said.Valid = true
			for _, text := range asked.Texts {
				said.Matches = append(said.Matches, compiled.MatchString(text))
			}
		}
		if err := encoder.Encode(said); err != nil {
			log.Fatal(err)
		}
	}
}
