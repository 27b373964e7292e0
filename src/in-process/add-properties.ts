/** Adds the properties of one object to another one. Getters stay getters. */
export function addProperties<T extends object, P extends object>(
  target: T,
  properties: P,
): asserts target is T & P {
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(properties));
}
