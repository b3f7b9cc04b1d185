import { randomBytes } from 'node:crypto'
import { weaknessOf } from '../../auth/password-rules.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { ConfigError } from '../../config.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Services } from '../../http/services.ts'

/** On an empty database, creates the ADMIN of the settings; a password nobody set is made up and printed once. */
export const createFirstAdmin = async ({
  db,
  config,
  recordAudit,
}: Pick<Services, 'db' | 'config' | 'recordAudit'>): Promise<void> => {
  const someone = await db.selectFrom('usuario').select('idUsuario').limit(1).executeTakeFirst()
  if (someone) return
  if (config.adminPassword) assertAdminPassword(config.adminPassword, config)
  const password = config.adminPassword ?? randomBytes(12).toString('base64url')
  const senhaHash = await hashPassword(password)
  await inTransaction(db, async (tx) => {
    const { idUsuario } = await tx
      .insertInto('usuario')
      .values({
        nomeUsuario: name,
        emailUsuario: config.adminEmail,
        senhaHash,
        tipoUsuario: 'ADMIN',
      })
      .returning('idUsuario')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, { action: 'installation.created', idUsuario, subject: `usuario:${idUsuario}` })
  })
  const shown = config.adminPassword ? 'a senha de ADMIN_PASSWORD' : `a senha ${password} (mostrada só agora)`
  console.log(`Primeiro acesso: entre com ${config.adminEmail} e ${shown}.`)
}

const name = 'Administrador'

/** @throws ConfigError */
const assertAdminPassword = (password: string, { adminEmail, companyName }: Services['config']): void => {
  const weakness = weaknessOf(password, { nomeUsuario: name, emailUsuario: adminEmail }, companyName)
  if (weakness) throw new ConfigError(`Configuração inválida: ADMIN_PASSWORD não pode ser usada. ${weakness}`)
}
