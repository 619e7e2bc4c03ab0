// Parses PromQL expressions as Prometheus does: a line of standard input each. Prints what is wrong with them.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/prometheus/prometheus/promql/parser"
)

func main() {
	wrong := false
	promql := parser.NewParser(parser.Options{})
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if _, err := promql.ParseExpr(lines.Text()); err != nil {
			fmt.Printf("%s: %v\n", lines.Text(), err)
			wrong = true
		}
	}
	if wrong {
		os.Exit(1)
	}
}
