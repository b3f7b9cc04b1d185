import { randomUUID } from 'node:crypto'
import { type Entity, type EntityKind, entities } from '@bi-manager/contract'
import { azureIdOf } from '../connections/capacities.ts'
import { createAnnouncement } from '../distribution/announcements.ts'
import { createKiosk } from '../distribution/kiosks.ts'
import { createConnection } from '../reports.ts'
import type { Targets } from './call-targets.ts'
import type { GoodCalls } from './good-call.ts'

interface Sample {
  id: number
  /** A record that can be deleted; default: `id`. */
  unused?: number
  /** A body that creates a record, and changes the record. */
  draft: object
}

/** A record of each entity that has the calls of `entityCalls`. */
const samples: Partial<Record<EntityKind, (targets: Targets) => Sample | Promise<Sample>>> = {
  powerbi: ({ connection, unused, person }) => ({
    id: connection.idPowerBi,
    unused: unused.idPowerBi,
    draft: {
      nome: 'Conexão',
      username: 'principal',
      password: 'segredo',
      clienteId: person.idUsuario,
      idResponsavel: 1,
    },
  }),
  capacidade: async ({ app, capacity }) => ({
    id: capacity.idCapacidade,
    draft: {
      nome: 'Capacidade',
      idPowerBi: (await createConnection(app)).idPowerBi,
      recurso: azureIdOf(),
    },
  }),
  workspace: ({ workspace, empty, connection }) => ({
    id: workspace.idGrupoRelatorio,
    unused: empty.idGrupoRelatorio,
    draft: { nomeGrupo: 'Workspace', idGrupo: randomUUID(), idPowerBi: connection.idPowerBi },
  }),
  relatorio: ({ workspace, report }) => ({
    id: report.idRelatorio,
    draft: {
      idGrupoRelatorio: workspace.idGrupoRelatorio,
      nomeRelatorio: 'Relatório',
      operadoraRelatorio: 'CNU',
      reportId: randomUUID(),
    },
  }),
  telao: async ({ app, report: { idRelatorio } }) => ({
    id: (await createKiosk(app, [idRelatorio])).idTelao,
    draft: { nome: `Telão ${randomUUID()}`, paginas: [{ idRelatorio, segundos: 30 }] },
  }),
  aviso: async ({ app }) => ({
    id: (await createAnnouncement(app)).idAviso,
    draft: {
      titulo: 'Aviso',
      texto: 'Texto',
      publico: 'TODOS',
      forma: 'FAIXA',
      manutencao: false,
      inicio: '2026-01-01T00:00:00Z',
      fim: '2026-01-02T00:00:00Z',
    },
  }),
  perfil: ({ idPerfil }) => ({ id: idPerfil, draft: { nomePerfil: randomUUID() } }),
}

const callsOf = ({ kind, path, fields, dependants }: Entity): GoodCalls => {
  const sampleOf = samples[kind as EntityKind]
  if (!sampleOf) return {}
  const one = async (targets: Targets) => ({ params: { id: (await sampleOf(targets)).id }, status: 200 })
  const draft = async (targets: Targets) => (await sampleOf(targets)).draft
  const hasCsv = Object.values(fields).some(({ csv }) => csv)
  return {
    [`GET ${path}`]: async () => [{ query: 'pagina=1', status: 200 }],
    ...(hasCsv && { [`GET ${path}.csv`]: async () => [{ status: 200 }] }),
    [`GET ${path}/:id`]: async (targets) => [await one(targets)],
    ...(dependants && { [`GET ${path}/:id/dependentes`]: async (targets) => [await one(targets)] }),
    [`POST ${path}`]: async (targets) => [{ body: await draft(targets), status: 201 }],
    [`PUT ${path}/:id`]: async (targets) => [{ ...(await one(targets)), body: await draft(targets) }],
    [`DELETE ${path}/:id`]: async (targets) => {
      const { id, unused = id } = await sampleOf(targets)
      return [{ params: { id: unused }, status: 204 }]
    },
  }
}

/** Good calls of the entities' own endpoints by `METHOD url`. */
export const recordGoodCalls: GoodCalls = Object.assign({}, ...entities.map(callsOf))
