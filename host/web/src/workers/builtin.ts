/** The worker of the component that is built in. */
import { instantiate } from 'component/sailplane.js';
import { serve } from './serve.ts';

serve({ instantiate });
