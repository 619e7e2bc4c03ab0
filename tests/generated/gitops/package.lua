-- Health of a package. A package that is not healthy is not degraded yet: Crossplane tries again, and a sync would fail
-- while it installs dependencies. A package that cannot be fetched is degraded.
local function find(wanted)
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type == wanted then
      return condition
    end
  end
  return {}
end

local installed, healthy = find("Installed"), find("Healthy")
-- Since the last change nothing has been reconciled yet.
if (installed.observedGeneration or obj.metadata.generation) ~= obj.metadata.generation then
  return {status = "Progressing", message = "a change is not reconciled yet"}
end
if installed.reason == "InactivePackageRevision" then
  return {status = "Suspended", message = installed.message}
end
if installed.reason == "UnpackingPackage" and installed.message ~= nil then
  return {status = "Degraded", message = installed.message}
end
if installed.status == "True" and healthy.status == "True" then
  return {status = "Healthy", message = healthy.message}
end
return {status = "Progressing", message = healthy.message or installed.reason or "not reconciled yet"}
