// zod tests whether it may compile code with eval, and a strict policy reports that. Its settings are on the global
// object: importing its own function for them would load part of zod with the first page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
