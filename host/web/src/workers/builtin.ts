/** The worker of the built-in component. */
import { instantiate } from 'component/sailplane.js';
import { serve } from './serve.ts';

serve({ instantiate });
