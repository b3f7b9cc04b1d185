import { readFileSync, writeFileSync } from 'node:fs'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { CommandError } from '../../../platform/commands/command.ts'

/**
 * Writes a new private key into a file that must not exist, as `age-keygen -o` does.
 * @returns the public key, for BACKUP_KEY
 */
export const writeBackupKey = async (file: string): Promise<string> => {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  try {
    writeFileSync(file, `# BACKUP_KEY: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CommandError(`O arquivo ${file} já existe: escolha outro nome.`)
    throw new CommandError(`O arquivo ${file} não pode ser criado (${code}).`, { cause })
  }
  return recipient
}

/**
 * Reads the private keys in the file of `writeBackupKey`.
 * @throws CommandError when it has none
 */
export const readBackupKeys = (file: string): string[] => {
  const lines = readLines(file).filter((line) => line !== '' && !line.startsWith('#'))
  if (lines.length > 0 && lines.every((line) => /^AGE-SECRET-KEY-(PQ-)?1[A-Z\d]+$/.test(line))) return lines
  throw new CommandError(`O arquivo ${file} não tem chaves privadas de cópias (AGE-SECRET-KEY-1…).`)
}

const readLines = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new CommandError(`O arquivo ${file} não pode ser lido (${code}).`, { cause })
  }
}
