/** InferenceModels that share a pool. */

/** The options of a platform whose default pool has this memory. */
export const POOL = `apiVersion: sailplane.fn.crossplane.io/v1alpha1
kind: Options
inferenceModel:
  pools:
    default: 300Gi
`;

/** So many models of 10Gi each. */
export function models(number) {
  const one = (index) => `apiVersion: inference.eh-ops.io/v1alpha1
kind: InferenceModel
metadata:
  name: model-${index}
  namespace: models
spec:
  modelName: qwen-32b
  memory: 10Gi
  backendUrl: http://model-${index}.models.svc:8080
  containerImage: registry.example.org/serve:v1
`;
  return Array.from({ length: number }, (_, index) => one(index)).join('---\n');
}
