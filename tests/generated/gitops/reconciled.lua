-- Health of a composite or a managed resource: `Synced` says whether it could be reconciled, `Ready` whether what it
-- stands for is there. Argo CD gives scripts no libraries but the basic ones.
local function find(wanted)
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type == wanted then
      return condition
    end
  end
  return {}
end

local synced, ready = find("Synced"), find("Ready")
-- Since the last change nothing has been reconciled yet.
if (synced.observedGeneration or obj.metadata.generation) ~= obj.metadata.generation then
  return {status = "Progressing", message = "a change is not reconciled yet"}
end
if synced.reason == "ReconcilePaused" then
  return {status = "Suspended", message = synced.message}
end
if synced.status == "False" then
  return {status = "Degraded", message = synced.message}
end
if synced.status == "True" and ready.status == "True" then
  return {status = "Healthy", message = ready.message}
end
return {status = "Progressing", message = ready.message or ready.reason or "not reconciled yet"}
