/**
 * Returns the value of an own property. Keys that people write may be names that every object
 * inherits, such as `constructor`.
 */
export const ownValue = <T>(values: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  values !== undefined && Object.hasOwn(values, key) ? values[key] : undefined

/** Returns whether every object inherits a property of this name. */
export const isInheritedName = (name: string): boolean => Object.hasOwn(Object.prototype, name)
