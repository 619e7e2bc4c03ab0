/**
 * The worker of a component of the user. The page makes the component's code, so the code has no address for an import.
 * It is part of the worker's script, which imports this file and then calls the function that this file sets.
 */
import { serve } from './serve.ts';

Object.assign(self, { serveSailplaneModule: serve });
