//! Registers the elements where it is imported.

import { defineElements } from "./elements.ts";

defineElements();
