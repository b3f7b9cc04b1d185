import type { Db } from '../../platform/db/open-database.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { notify } from '../../platform/notifications/notify.ts'

interface Failing {
  idPowerBi: number
  nomeConexao: string
  nomeRelatorio: string
}

/** Failures that last until an administrator acts; a timeout is temporary. */
const lasting = new Map([
  ['bi_credencial_recusada', 'recusou a credencial'],
  ['bi_sem_acesso', 'negou o acesso'],
  ['bi_cota_esgotada', 'recusou um token por falta de cota'],
])

/** Notifies administrators that the provider refuses a connection; once until they read it. */
export const notifyConnectionFailing = async (
  db: Db,
  error: unknown,
  { idPowerBi, nomeConexao, nomeRelatorio }: Failing,
  now: Date,
): Promise<void> => {
  const what = error instanceof Problem ? lasting.get(error.codigo) : undefined
  if (!what) return
  const bell = {
    titulo: `A conexão “${nomeConexao}” está falhando`,
    texto: `O provedor ${what} quando alguém abriu o relatório “${nomeRelatorio}”. Use Testar conexão para ver o que corrigir.`,
    rota: `/Registerpowerbi/${idPowerBi}`,
  }
  const subject = `powerbi:${idPowerBi}`
  await notify(db, { audience: 'administradores', kind: 'conexao_falhando', subject, bell }, now)
}
