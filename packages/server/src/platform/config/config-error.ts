/** A setting is invalid. The message is one Portuguese sentence, names it, and has no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
