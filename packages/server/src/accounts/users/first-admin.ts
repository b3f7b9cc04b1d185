import { randomBytes } from 'node:crypto'
import { ConfigError } from '../../platform/config/config.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Services } from '../../platform/http/services.ts'
import { writeFirstPassword } from '../credentials/first-password.ts'
import { weaknessOf } from '../credentials/password-rules.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { nameColumns } from '../names/names-in-use.ts'

/**
 * Creates the ADMIN of the settings on an empty database. Without ADMIN_PASSWORD, a password is
 * generated, kept in a file and must be replaced at the first sign-in.
 * @param say called with a Portuguese sentence that tells the operator how to sign in
 */
export const createFirstAdmin = async (
  { db, config, writeAudit }: Pick<Services, 'db' | 'config' | 'writeAudit'>,
  say: (sentence: string) => void = () => {},
): Promise<void> => {
  const someone = await db.selectFrom('usuario').select('idUsuario').limit(1).executeTakeFirst()
  if (someone) return
  if (config.adminPassword) assertAdminPassword(config.adminPassword, config)
  const password = config.adminPassword ?? randomBytes(12).toString('base64url')
  const senhaHash = await hashPassword(password)
  const file = await inTransaction(db, async (tx) => {
    const { idUsuario } = await tx
      .insertInto('usuario')
      .values({
        ...nameColumns(name),
        emailUsuario: config.adminEmail,
        senhaHash,
        tipoUsuario: 'ADMIN',
        trocarSenha: config.adminPassword ? null : 'obrigatoria',
      })
      .returning('idUsuario')
      .executeTakeFirstOrThrow()
    await writeAudit(tx, { action: 'installation.created', idUsuario, subject: `usuario:${idUsuario}` })
    // Written before the commit: of two processes that start at once, only the one whose insert
    // succeeded writes the file.
    const kept = { idUsuario, emailUsuario: config.adminEmail, password }
    return config.adminPassword ? undefined : writeFirstPassword(config, kept)
  })
  const shown = file
    ? `a senha do arquivo ${file}; o portal pede outra na primeira entrada e apaga o arquivo`
    : 'a senha de ADMIN_PASSWORD'
  say(`Primeiro acesso: entre com ${config.adminEmail} e ${shown}.`)
}

const name = 'Administrador'

/** @throws ConfigError */
const assertAdminPassword = (password: string, { adminEmail, companyName }: Services['config']): void => {
  const weakness = weaknessOf(password, { nomeUsuario: name, emailUsuario: adminEmail }, companyName)
  if (weakness) throw new ConfigError(`Configuração inválida: ADMIN_PASSWORD não pode ser usada. ${weakness}`)
}
