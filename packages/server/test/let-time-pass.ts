import { sql } from 'kysely'
import type { TestApp } from './test-app.ts'

/** Columns that are written and compared with the database's clock (src/platform/db/database-clock.ts). */
const columns = {
  arquivo_pendente: ['criado_em'],
  copia_seguranca: ['ativa_em'],
  mensagem: ['criada_em', 'proxima_em'],
  assinatura: ['proxima_em'],
  assinatura_execucao: ['tentar_em', 'ocupada_ate', 'iniciada_em'],
  assinatura_arquivo: ['tentar_em', 'ocupado_ate', 'pedido_em'],
  alerta: ['proxima_em', 'ocupado_ate'],
  alerta_envio: ['tentar_em'],
  agenda_dados: ['proxima_em', 'ocupada_ate'],
  conjunto_relatorio: ['lido_em'],
  leitura_atualizacoes: ['lida_em'],
  leitura_segredo: ['proxima_em'],
  capacidade_estado: ['tentada_em', 'vigiada_em', 'ocupada_ate', 'atualizacao_pedida'],
}

/** Makes the work of all nodes older by this time: no test moves the database's clock. */
export const letTimePass = async ({ db }: Pick<TestApp, 'db'>, ms: number): Promise<void> => {
  const updates = Object.entries(columns).map(([table, names]) => {
    const earlier = names.map(
      (name) => sql`${sql.ref(name)} = ${sql.ref(name)} - make_interval(secs => ${ms / 1000})`,
    )
    return sql`${sql.ref(`${table}_antes`)} as (update ${sql.table(table)} set ${sql.join(earlier)})`
  })
  await sql`with ${sql.join(updates)} select`.execute(db)
}

/** Lets time pass until the server's clock has this offset: the process remembers by that clock. */
export const moveClockTo = async (app: Pick<TestApp, 'db' | 'clock'>, offsetMs: number): Promise<void> => {
  const ms = offsetMs - app.clock.offsetMs
  app.clock.offsetMs = offsetMs
  await letTimePass(app, ms)
}
