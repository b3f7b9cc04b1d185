import { randomUUID } from 'node:crypto'
import { saveSchedule } from '../../src/publishing/schedules.repository.ts'
import { createConnection } from '../reports.ts'
import { draftId, groupId, reportId } from '../stand-ins/provider-stand-in.ts'
import type { Targets } from './call-targets.ts'
import type { GoodCalls } from './good-call.ts'

const params = { rascunho: draftId }
const body = { workspace: { idGrupo: groupId, nome: 'Saúde' }, relatorio: '{}' }

const withLocalService =
  <T>(calls: T[]) =>
  async ({ app }: Targets): Promise<T[]> => {
    await createConnection(app, { provedor: 'local' })
    return calls
  }

const schedule = {
  origem: 'URL',
  endereco: 'https://nada.invalid/a.csv',
  tabela: 'Custos',
  frequencia: 'DIA',
  horario: '06:00',
  ativa: true,
} as const

const storedSchedule =
  (answer: { status: number }) =>
  async ({ app: { db, services } }: Targets) => {
    const params = { reportId: randomUUID() }
    await saveSchedule(db, params.reportId, schedule, { secrets: services.secrets, now: services.now() })
    return [{ params, ...answer }]
  }

/** Good calls of publishing, whose local service is the stand-in (REPORTS_URL). */
export const publishingCalls: GoodCalls = {
  'GET /publicacoes/workspaces': withLocalService([{ status: 200 }]),
  'POST /publicacoes': withLocalService([
    { body: { nome: 'x.csv' }, file: Buffer.from('a;b\n1;2\n'), status: 201 },
  ]),
  'POST /publicacoes/:rascunho/leitura': withLocalService([
    { params, body: { nomeRelatorio: 'Custos' }, status: 200 },
  ]),
  'POST /publicacoes/:rascunho/conferencia': withLocalService([{ params, body, status: 200 }]),
  'POST /publicacoes/:rascunho/previa': withLocalService([{ params, body, status: 200 }]),
  'POST /publicacoes/pastas': withLocalService([{ body: { nome: 'meu-relatorio' }, status: 201 }]),
  'POST /publicacoes/pastas/:rascunho/arquivos': withLocalService([
    { params, body: { caminho: 'vendas/dataset.json' }, file: Buffer.from('{}'), status: 201 },
  ]),
  'POST /publicacoes/pastas/:rascunho/conferencia': withLocalService([{ params, status: 200 }]),
  'POST /publicacoes/pastas/:rascunho/previa': withLocalService([
    { params, body: { reportId }, status: 200 },
  ]),
  'POST /publicacoes/pastas/:rascunho': withLocalService([{ params, status: 200 }]),
  'POST /publicacoes/:rascunho': withLocalService([{ params, body, status: 200 }]),
  'DELETE /publicacoes/:rascunho': withLocalService([{ params, status: 204 }]),
  'GET /publicacoes/relatorios': withLocalService([{ status: 200 }]),
  'GET /publicacoes/relatorios/:reportId/versoes': withLocalService([{ params: { reportId }, status: 200 }]),
  'GET /publicacoes/relatorios/:reportId/agenda': () => [{ params: { reportId }, status: 200 }],
  'PUT /publicacoes/relatorios/:reportId/agenda': withLocalService([
    { params: { reportId }, body: schedule, status: 200 },
  ]),
  'DELETE /publicacoes/relatorios/:reportId/agenda': storedSchedule({ status: 204 }),
  // It fails: there is no such host. The failure is its result.
  'POST /publicacoes/relatorios/:reportId/agenda/execucao': storedSchedule({ status: 200 }),
  'GET /publicacoes/relatorios/:reportId/tabelas': withLocalService([{ params: { reportId }, status: 200 }]),
  'POST /publicacoes/relatorios/:reportId/dados/conferencia': withLocalService([
    { params: { reportId }, body: { rascunho: draftId, tabela: 'Custos' }, status: 200 },
  ]),
  'POST /publicacoes/relatorios/:reportId/dados': withLocalService([
    { params: { reportId }, body: { rascunho: draftId, tabela: 'Custos' }, status: 200 },
  ]),
  'POST /publicacoes/relatorios/:reportId/versoes/:numero/restauracao': withLocalService([
    { params: { reportId, numero: 1 }, body: { comDados: true }, status: 200 },
  ]),
}
