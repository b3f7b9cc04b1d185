import { randomBytes } from 'node:crypto'
import { recordAudit } from '../../audit/record-audit.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Services } from '../../http/services.ts'

/** On an empty database, creates the ADMIN of the settings; a password nobody set is made up and printed once. */
export const createFirstAdmin = async ({ db, config }: Pick<Services, 'db' | 'config'>): Promise<void> => {
  const someone = await db.selectFrom('usuario').select('idUsuario').limit(1).executeTakeFirst()
  if (someone) return
  const password = config.adminPassword ?? randomBytes(12).toString('base64url')
  const senhaHash = await hashPassword(password)
  await inTransaction(db, async (tx) => {
    const { idUsuario } = await tx
      .insertInto('usuario')
      .values({
        nomeUsuario: 'Administrador',
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
