import type { Db } from '../db/open-database.ts'
import { Problem } from '../problem.ts'
import { notify } from './notify.ts'

interface Failing {
  idPowerBi: number
  nomeConexao: string
  nomeRelatorio: string
}

/** What only an administrator can mend, and what stays until somebody does; an answer that is late mends itself. */
const lasting = new Map([
  ['bi_credencial_recusada', 'recusou a credencial'],
  ['bi_sem_acesso', 'negou o acesso'],
])

/** Tells the administrators, once until they have read it, where the provider has refused a connection. */
export const notifyConnectionFailing = async (
  db: Db,
  error: unknown,
  { idPowerBi, nomeConexao, nomeRelatorio }: Failing,
  now: Date,
): Promise<void> => {
  const what = error instanceof Problem ? lasting.get(error.codigo) : undefined
  if (!what) return
  await notify(
    db,
    'administradores',
    {
      tipo: 'conexao_falhando',
      titulo: `A conexão “${nomeConexao}” está falhando`,
      texto: `O provedor ${what} quando alguém abriu o relatório “${nomeRelatorio}”. Use Testar conexão para ver o que corrigir.`,
      rota: `/Registerpowerbi/${idPowerBi}`,
      assunto: `powerbi:${idPowerBi}`,
    },
    now,
  )
}
