/**
 * A setting is invalid. The message is one Portuguese sentence that names it and never repeats a
 * secret.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
