import { randomUUID } from 'node:crypto'
import type { TestApp } from '../test-app.ts'

/** Inserts an open request of the person for the report, and returns its id. */
export const createRequest = async (
  { db, services }: Pick<TestApp, 'db' | 'services'>,
  { idUsuario }: { idUsuario: number },
  { idRelatorio }: { idRelatorio: number | null },
): Promise<number> => {
  const { idPedido } = await db
    .insertInto('pedidoAcesso')
    .values({
      idUsuario,
      idRelatorio,
      grupoExterno: randomUUID(),
      relatorioExterno: randomUUID(),
      motivo: 'Preciso dele.',
      criadoEm: services.now(),
    })
    .returning('idPedido')
    .executeTakeFirstOrThrow()
  return idPedido
}
