// Gitops-oracle says what Argo CD and Flux make of an object: which health it has.
//
// It reads JSON lines and writes one for each. A line has an object, and either a script of Argo CD (Lua) or the
// expressions of Flux (CEL). Both are run as these tools do, in the same interpreters with the same libraries.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
	lua "github.com/yuin/gopher-lua"
)

type question struct {
	Object      map[string]any `json:"object"`
	Script      string         `json:"script,omitempty"`
	Expressions *expressions   `json:"expressions,omitempty"`
}

type expressions struct {
	InProgress string `json:"inProgress,omitempty"`
	Failed     string `json:"failed,omitempty"`
	Current    string `json:"current"`
}

type answer struct {
	Status  string `json:"status,omitempty"`
	Message string `json:"message,omitempty"`
	Error   string `json:"error,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		var asked question
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.UseNumber()
		if err := decoder.Decode(&asked); err != nil {
			panic(err)
		}
		asked.Object, _ = typed(asked.Object).(map[string]any)
		given, err := judge(asked)
		if err != nil {
			given = answer{Error: err.Error()}
		}
		text, err := json.Marshal(given)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(out, string(text))
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}

// typed has the numbers of an object as Kubernetes' clients have them: whole ones as int64.
func typed(of any) any {
	switch it := of.(type) {
	case json.Number:
		if whole, err := it.Int64(); err == nil {
			return whole
		}
		broken, _ := it.Float64()
		return broken
	case []any:
		for i := range it {
			it[i] = typed(it[i])
		}
	case map[string]any:
		for key := range it {
			it[key] = typed(it[key])
		}
	}
	return of
}

func judge(asked question) (answer, error) {
	if asked.Expressions != nil {
		return byFlux(asked.Object, *asked.Expressions)
	}
	return byArgo(asked.Object, asked.Script)
}

// byArgo runs a health check of Argo CD. Scripts of the ConfigMap have no libraries but these, and a second.
func byArgo(object map[string]any, script string) (answer, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for _, library := range []struct {
		name string
		open lua.LGFunction
	}{
		{lua.LoadLibName, lua.OpenPackage},
		{lua.BaseLibName, lua.OpenBase},
		{lua.TabLibName, lua.OpenTable},
	} {
		opened := lua.P{Fn: state.NewFunction(library.open), Protect: true}
		if err := state.CallByParam(opened, lua.LString(library.name)); err != nil {
			return answer{}, err
		}
	}
	limited, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	state.SetContext(limited)
	state.SetGlobal("obj", value(state, object))
	if err := state.DoString(script); err != nil {
		return answer{}, err
	}
	table, ok := state.Get(-1).(*lua.LTable)
	if !ok {
		return answer{}, fmt.Errorf("it returns %s, not a table", state.Get(-1).Type())
	}
	given := answer{Status: text(table, "status"), Message: text(table, "message")}
	switch given.Status {
	case "Healthy", "Progressing", "Suspended", "Degraded", "Missing", "Unknown":
		return given, nil
	}
	return answer{}, fmt.Errorf("there is no health %q", given.Status)
}

// text is a field of what a script returns. A field that is absent is empty.
func text(table *lua.LTable, field string) string {
	if found, ok := table.RawGetString(field).(lua.LString); ok {
		return string(found)
	}
	return ""
}

func value(state *lua.LState, of any) lua.LValue {
	switch it := of.(type) {
	case bool:
		return lua.LBool(it)
	case int64:
		return lua.LNumber(it)
	case float64:
		return lua.LNumber(it)
	case string:
		return lua.LString(it)
	case []any:
		list := state.CreateTable(len(it), 0)
		for _, item := range it {
			list.Append(value(state, item))
		}
		return list
	case map[string]any:
		table := state.CreateTable(0, len(it))
		for key, item := range it {
			table.RawSetString(key, value(state, item))
		}
		return table
	}
	return lua.LNil
}

// byFlux evaluates the expressions of a Kustomization in Flux's order (RFC 0009). They are not checked before: the
// variables are the fields of the object, and a field that is absent is an error, after which Flux waits.
func byFlux(object map[string]any, exprs expressions) (answer, error) {
	status, _ := object["status"].(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	if observed, ok := status["observedGeneration"]; ok && observed != metadata["generation"] {
		return answer{Status: "InProgress"}, nil
	}
	for _, each := range []struct{ expression, status string }{
		{exprs.InProgress, "InProgress"},
		{exprs.Failed, "Failed"},
		{exprs.Current, "Current"},
	} {
		if each.expression == "" {
			continue
		}
		met, err := holds(each.expression, object)
		if err != nil {
			return answer{}, err
		}
		if met {
			return answer{Status: each.status}, nil
		}
	}
	return answer{Status: "InProgress"}, nil
}

func holds(expression string, object map[string]any) (bool, error) {
	environment, err := cel.NewEnv(
		cel.HomogeneousAggregateLiterals(),
		cel.EagerlyValidateDeclarations(true),
		cel.DefaultUTCTimeZone(true),
		cel.CrossTypeNumericComparisons(true),
		cel.OptionalTypes(),
		ext.Strings(),
		ext.Sets(),
		ext.Encoders(),
	)
	if err != nil {
		return false, err
	}
	parsed, issues := environment.Parse(expression)
	if issues != nil && issues.Err() != nil {
		return false, issues.Err()
	}
	program, err := environment.Program(parsed, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return false, err
	}
	found, _, err := program.Eval(object)
	if err != nil {
		return false, err
	}
	met, ok := found.(types.Bool)
	if !ok {
		return false, fmt.Errorf("`%s` is no bool", expression)
	}
	return bool(met), nil
}
