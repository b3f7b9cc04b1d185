import { randomUUID } from 'node:crypto'
import { attachmentDraft, createAttachment, tinyPng } from '../clinical/attachments.ts'
import { createIncident, incidentDraft } from '../clinical/incidents.ts'
import { contentDraft, createEntity, recordDraft } from '../clinical/medical-records.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../reports.ts'
import type { Targets } from './call-targets.ts'
import type { GoodCalls } from './good-call.ts'

const beneficiaryDraft = () => ({ nome_beneficiario: 'Fulana Exemplo', id_beneficiario: randomUUID() })
const recordOf = async ({ app, caller, beneficiary }: Targets) => {
  const author = { idUsuario: caller.idUsuario, nomeUsuario: 'Pessoa' }
  return { id: (await createEntity(app, author, { beneficiario: beneficiary.id })).id }
}
/** Good calls of medical records and of the data protection officer. */
export const clinicalCalls: GoodCalls = {
  'GET /beneficiarios': () => [{ query: 'pagina=1', status: 200 }],
  'GET /beneficiarios/:id': ({ beneficiary }) => [{ params: { id: beneficiary.id }, status: 200 }],
  'POST /beneficiarios': () => [{ body: beneficiaryDraft(), status: 201 }],
  'PUT /beneficiarios/:id': ({ beneficiary }) => [
    { params: { id: beneficiary.id }, body: { plano: 'Pleno' }, status: 200 },
  ],
  'POST /beneficiarios/busca': ({ beneficiary }) => [
    { body: { texto: beneficiary.id_beneficiario }, status: 200 },
  ],
  'POST /beneficiarios/importacao/previa': () => [
    { body: { linhas: [{ linha: 2, ...beneficiaryDraft() }] }, status: 200 },
  ],
  'POST /beneficiarios/importacao': () => [
    { body: { linhas: [{ linha: 2, ...beneficiaryDraft() }] }, status: 201 },
  ],

  'POST /usuarios/relatorio/:id/beneficiarios': async ({ app, caller }) => {
    const { idPowerBi } = await createConnection(app, { provedor: 'local' })
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
    const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
    await grantReport(app, caller.idUsuario, idRelatorio)
    const headers = { 'x-finalidade': 'Atendimento' }
    const body = { ponto: { page: 'custos', visual: 'barras' } }
    return [{ params: { id: idRelatorio }, body, headers, status: 200 }]
  },

  'GET /prontuarios': () => [{ query: 'pagina=1&de=01/01/2026', status: 200 }],
  'GET /prontuarios/:id': async (targets) => [{ params: await recordOf(targets), status: 200 }],
  'POST /prontuarios': () => [{ body: recordDraft(), status: 201 }],
  'PUT /prontuarios/:id': async (targets) => [
    { params: await recordOf(targets), body: contentDraft(), status: 200 },
  ],
  'DELETE /prontuarios/:id': async (targets) => [{ params: await recordOf(targets), status: 204 }],
  'GET /prontuarios/:id/versoes': async (targets) => [{ params: await recordOf(targets), status: 200 }],
  'GET /prontuarios/:id/pdf': async (targets) => [{ params: await recordOf(targets), status: 200 }],
  'POST /prontuarios/:id/impressao': async (targets) => [{ params: await recordOf(targets), status: 204 }],

  'GET /anexos': () => [{ query: 'pagina=1&busca=img', status: 200 }],
  'POST /anexos': async ({ beneficiary: { id_beneficiario } }) => [
    { when: 'with a file', body: { ...attachmentDraft, id_beneficiario }, file: await tinyPng, status: 201 },
    { when: 'without one', body: attachmentDraft, status: 201 },
  ],
  'GET /anexos/:id/arquivo': async (targets) => [
    { params: { id: await createAttachment(targets, await tinyPng) }, query: 'baixar=1', status: 200 },
  ],
  'DELETE /anexos/:id': async (targets) => [{ params: { id: await createAttachment(targets) }, status: 204 }],

  'GET /protecao-de-dados/beneficiarios/:id/exportacao': ({ beneficiary }) => [
    { params: { id: beneficiary.id }, status: 200 },
  ],
  'GET /protecao-de-dados/beneficiarios/:id/exportacao.pdf': ({ beneficiary }) => [
    { params: { id: beneficiary.id }, status: 200 },
  ],
  'GET /protecao-de-dados/beneficiarios/:id/acessos': ({ beneficiary }) => [
    { params: { id: beneficiary.id }, query: 'pagina=1', status: 200 },
  ],
  'GET /protecao-de-dados/beneficiarios/:id/acessos.csv': ({ beneficiary }) => [
    { params: { id: beneficiary.id }, status: 200 },
  ],
  'GET /protecao-de-dados/retencao': () => [{ query: 'pagina=1', status: 200 }],
  'GET /protecao-de-dados/incidentes': () => [{ query: 'pagina=1', status: 200 }],
  'GET /protecao-de-dados/incidentes/:id': async ({ app }) => [
    { params: { id: await createIncident(app) }, status: 200 },
  ],
  'POST /protecao-de-dados/incidentes': () => [{ body: incidentDraft(), status: 201 }],
  'PUT /protecao-de-dados/incidentes/:id': async ({ app }) => [
    { params: { id: await createIncident(app) }, body: incidentDraft(), status: 200 },
  ],
}
