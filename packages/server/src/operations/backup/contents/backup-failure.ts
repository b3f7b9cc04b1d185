import { CommandError } from '../../../platform/commands/command.ts'
import { UnusableDatabase } from '../../../platform/db/drivers/unusable-database.ts'

/** Returns the Portuguese sentence for an ADMIN. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof CommandError || error instanceof UnusableDatabase) return error.message
  if (isFullDisk(error)) return 'O disco encheu durante a cópia.'
  const { code, message } = error as NodeJS.ErrnoException
  // Messages of the database's class 22 repeat values.
  if (/^22\w{3}$/.test(code ?? '')) return `O banco de dados recusou um valor (${code}).`
  return `A cópia parou com um erro: ${message.replace(/\.$/, '')}.`
}

export const isFullDisk = (error: unknown): boolean =>
  ['ENOSPC', '53100'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Returns the error of a failed verification. A full disk says nothing about the copy. */
export const verificationFailure = (error: unknown): unknown =>
  isFullDisk(error)
    ? error
    : new CommandError(
        `A cópia não passou na conferência e foi apagada: ${reasonOf(error).replace(/^A cópia parou com um erro: /, '')}`,
        { cause: error },
      )

export const MB = 2 ** 20

/** @throws CommandError when the place has too little space */
export const assertFree = (place: string, needed: number, free: number): void => {
  if (free >= needed) return
  throw new CommandError(
    `Falta espaço em ${place}: a cópia precisa de até ${Math.ceil(needed / MB)} MB, e há ${Math.floor(free / MB)} MB livres.`,
  )
}
