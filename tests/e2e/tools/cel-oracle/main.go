// Cel-oracle evaluates CEL expressions as Kubernetes does.
//
// It reads JSON lines and writes one for each. A line has an expression and either a device, as a ResourceSlice
// publishes it, or the schema around a rule of x-kubernetes-validations with the values of self and oldSelf.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

type question struct {
	Expr            string          `json:"expr"`
	Device          *device         `json:"device"`
	Schema          json.RawMessage `json:"schema"`
	Root            bool            `json:"root"`
	Self            json.RawMessage `json:"self"`
	OldSelf         json.RawMessage `json:"oldSelf"`
	OptionalOldSelf bool            `json:"optionalOldSelf"`
}

type device struct {
	Driver                   string                                                      `json:"driver"`
	AllowMultipleAllocations *bool                                                       `json:"allowMultipleAllocations"`
	Attributes               map[resourceapi.QualifiedName]resourceapi.DeviceAttribute `json:"attributes"`
	Capacity                 map[resourceapi.QualifiedName]resourceapi.DeviceCapacity  `json:"capacity"`
}

// answer has a value, or the sort and the text of an error. It also has the actual and the estimated cost.
type answer struct {
	Value   *bool   `json:"value,omitempty"`
	Error   string  `json:"error,omitempty"`
	Message string  `json:"message,omitempty"`
	Cost    *uint64 `json:"cost,omitempty"`
	Worst   uint64  `json:"worst,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		var asked question
		var given answer
		if err := utiljson.Unmarshal(lines.Bytes(), &asked); err != nil {
			given = answer{Error: "question", Message: err.Error()}
		} else if asked.Schema != nil {
			given = rule(asked)
		} else {
			given = selector(asked)
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

func selector(asked question) answer {
	compiler := dracel.GetCompiler(dracel.Features{EnableConsumableCapacity: true})
	compiled := compiler.CompileCELExpression(asked.Expr, dracel.Options{})
	if compiled.Error != nil {
		return answer{Error: "compile", Message: compiled.Error.Detail}
	}
	if asked.Device == nil {
		asked.Device = &device{}
	}
	matches, details, err := compiled.DeviceMatches(context.Background(), dracel.Device{
		Driver:                   asked.Device.Driver,
		AllowMultipleAllocations: asked.Device.AllowMultipleAllocations,
		Attributes:               asked.Device.Attributes,
		Capacity:                 asked.Device.Capacity,
	})
	given := answer{Worst: compiled.MaxCost}
	if details != nil {
		given.Cost = details.ActualCost()
	}
	if err != nil {
		given.Error, given.Message = "runtime", err.Error()
	} else {
		given.Value = &matches
	}
	return given
}

func rule(asked question) answer {
	structural, err := read(asked)
	if err != nil {
		return answer{Error: "question", Message: err.Error()}
	}
	compiled, err := schemacel.Compile(structural, model.SchemaDeclType(structural, asked.Root), celconfig.PerCallLimit,
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), schemacel.StoredExpressionsEnvLoader())
	if err != nil {
		return answer{Error: "question", Message: err.Error()}
	}
	if compiled[0].Error != nil {
		return answer{Error: "compile", Message: compiled[0].Error.Detail}
	}
	if compiled[0].Program == nil {
		return answer{Error: "compile", Message: "empty"}
	}
	given := answer{Worst: compiled[0].MaxCost}
	bindings := map[string]any{}
	for name, raw := range map[string]json.RawMessage{"self": asked.Self, "oldSelf": asked.OldSelf} {
		if raw != nil {
			var value any
			if err := utiljson.Unmarshal(raw, &value); err != nil {
				return answer{Error: "question", Message: err.Error()}
			}
			bindings[name] = schemacel.UnstructuredToVal(value, structural)
		}
	}
	value, details, err := compiled[0].Program.Eval(bindings)
	if details != nil {
		given.Cost = details.ActualCost()
	}
	if err != nil {
		given.Error, given.Message = "runtime", strings.TrimSpace(err.Error())
		return given
	}
	verdict, ok := value.Value().(bool)
	if !ok {
		given.Error, given.Message = "runtime", "not boolean"
		return given
	}
	given.Value = &verdict
	return given
}

// read returns the schema with the expression as its rule.
func read(asked question) (*schema.Structural, error) {
	var versioned apiextensionsv1.JSONSchemaProps
	if err := utiljson.Unmarshal(asked.Schema, &versioned); err != nil {
		return nil, err
	}
	versioned.XValidations = apiextensionsv1.ValidationRules{{Rule: asked.Expr}}
	if asked.OptionalOldSelf {
		versioned.XValidations[0].OptionalOldSelf = &asked.OptionalOldSelf
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&versioned, &internal, nil); err != nil {
		return nil, err
	}
	return schema.NewStructural(&internal)
}
