// Yaml-oracle reads YAML as the Kubernetes toolchain does: with sigs.k8s.io/yaml.
//
// It reads JSON lines and writes one for each. A line has the text of one document, and its answer the value as JSON,
// or an error.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		var document string
		if err := json.Unmarshal(lines.Bytes(), &document); err != nil {
			panic(err)
		}
		text, err := json.Marshal(read(document))
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(out, string(text))
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}

// read returns the value of the document. The library panics on a few documents, which then have no value either.
func read(document string) (given answer) {
	defer func() {
		if failure := recover(); failure != nil {
			given = answer{Error: fmt.Sprint("panic: ", failure)}
		}
	}()
	value, err := yaml.YAMLToJSON([]byte(document))
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: value}
}
