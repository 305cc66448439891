/**
 * What goes with an object without being part of it: JSON and copies do not show it. It is kept on the object, because all
 * that the value of a `WeakMap` refers to survives every small garbage collection, here a whole run.
 *
 * @example
 * const note = attachment()
 * const message = note.attach({ role: 'user' }, 'typed')
 * note.of(message) // => 'typed'
 * note.of({ ...message }) // => undefined
 * JSON.stringify(message) // => '{"role":"user"}'
 */
export function attachment<Value>() {
  const key = Symbol()
  return {
    /** The object must not be frozen. */
    attach<Target extends object>(target: Target, value: Value): Target {
      return Object.defineProperty(target, key, { value, configurable: true })
    },
    of(target: object): Value | undefined {
      return (target as Record<symbol, Value>)[key]
    },
  }
}
