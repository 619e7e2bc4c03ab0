/** Groups composed resources by the areas that people think in, e.g. network and access. */

import type { Composite, Resource } from './answer.ts';

export interface Area {
  /** Empty for the resources that belong to none. */
  name: string;
  resources: Resource[];
}

/** The areas that have some of these resources, in their order; in each the first phase is first. Resources of no area are last. */
export function byArea({ areas }: Composite, resources: Resource[]): Area[] {
  const known = areas.map((name): Area => ({ name, resources: [] }));
  const none: Area = { name: '', resources: [] };
  const phase = (resource: Resource) => resource.phase?.number ?? 0;
  for (const resource of resources.toSorted((one, other) => phase(one) - phase(other))) {
    const area = resource.area === undefined ? undefined : known[resource.area];
    (area ?? none).resources.push(resource);
  }
  return [...known, none].filter(({ resources }) => resources.length > 0);
}
