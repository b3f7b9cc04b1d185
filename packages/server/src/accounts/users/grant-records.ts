import { changeOf } from '../../platform/audit/record-change.ts'
import { createAuditWriter } from '../../platform/audit/write-audit.ts'
import { assertInstalled, CommandError, withDatabase } from '../../platform/commands/command.ts'
import type { Config } from '../../platform/config/config.ts'
import { loadSecrets, type Secrets } from '../../platform/config/secrets.ts'
import { migrate } from '../../platform/db/migrations/migrate.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { notifyHealthAccess } from './notify-health-access.ts'
import { lockActiveAdmins, lockUserOfEmail, updateUser } from './users.repository.ts'
import { grantsHealthData } from './users.rules.ts'

interface Grant {
  email: string
  /** Also grants the function of data protection officer. */
  isOfficer: boolean
}

type GrantConfig = Pick<Config, 'appSecret' | 'dataDir' | 'databaseUrl'>

/**
 * The command `records:grant`: grants the only active ADMIN access to medical records. In the
 * portal, no ADMIN can grant it to themselves.
 * @param print called with Portuguese sentences for the operator
 * @throws CommandError when another ADMIN can grant it in the portal; DirectoryInUse while a server
 * uses the embedded database
 */
export const grantRecords = async (
  config: GrantConfig,
  grant: Grant,
  print: (sentence: string) => void,
): Promise<void> => {
  assertInstalled(config, 'Sem a chave nada pode ser registrado na auditoria')
  const secrets = loadSecrets(config.appSecret, config.dataDir)
  await withDatabase(config, print, async (db) => {
    await migrate(db)
    print(await grantIn(db, secrets, grant))
  })
}

/** @returns a Portuguese sentence that says what was done */
const grantIn = (db: Db, secrets: Secrets, { email, isOfficer }: Grant): Promise<string> => {
  const now = () => new Date()
  const writeAudit = createAuditWriter(secrets, now)
  return inTransaction(db, async (tx) => {
    const admins = await lockActiveAdmins(tx)
    const before = await lockUserOfEmail(tx, email)
    if (!before) throw new CommandError(`Nenhuma conta tem o e-mail ${email}.`)
    const { idUsuario, nomeUsuario } = before
    if (!admins.includes(idUsuario) || admins.length > 1) throw new CommandError(REFUSED)
    const flags = { acessoProntuario: true, ...(isOfficer ? { encarregadoDados: true } : {}) }
    const after = await updateUser(tx, idUsuario, flags)
    if (!grantsHealthData(before, after)) return `${nomeUsuario} já tinha o acesso: nada mudou.`
    await notifyHealthAccess(tx, { before, after, by: { name: 'Um comando no servidor' } }, now())
    await writeAudit(tx, {
      action: 'user.granted-on-server',
      idUsuario: null,
      subject: `usuario:${idUsuario}`,
      details: changeOf(before, after),
    })
    const given = isOfficer
      ? 'o acesso a prontuários e a função de encarregado de dados'
      : 'o acesso a prontuários'
    return `${nomeUsuario} (${after.emailUsuario}) tem agora ${given}.`
  })
}

const REFUSED =
  'Este comando é só para o único administrador ativo. Para outra pessoa, ou com outro administrador, o acesso se dá no portal, em Usuários.'
