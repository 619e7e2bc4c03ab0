/**
 * The worker of a component that somebody brought. Its code is made in the page, where it has no address to be imported
 * from; it stands in the worker's own script, which imports this file and then calls what it leaves here.
 */
import { serve } from './serve.ts';

Object.assign(self, { serveSailplaneModule: serve });
