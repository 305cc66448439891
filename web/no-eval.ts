// Whether code may be made of text zod finds out by trying, and a strict policy reports the try. Its settings stand on the
// global object: to import its own function for them would load a part of it with the first page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
