import { pausedCapacity, type Targets } from './call-targets.ts'
import type { GoodCalls } from './good-call.ts'

const params = ({ capacity }: Targets) => ({ id: capacity.idCapacidade })

/** Good calls of one capacity, besides those of its record. */
export const capacityCalls: GoodCalls = {
  'GET /usuarios/capacidade/:id/estado': (targets) => [{ params: params(targets), status: 200 }],
  'POST /usuarios/capacidade/:id/iniciar': async ({ app }) => [
    { params: { id: (await pausedCapacity(app)).idCapacidade }, status: 200 },
  ],
  'POST /usuarios/capacidade/:id/pausar': (targets) => [{ params: params(targets), status: 200 }],
  'POST /usuarios/capacidade/:id/redimensionar': (targets) => [
    { params: params(targets), body: { sku: 'F4' }, status: 200 },
  ],
  'GET /usuarios/capacidade/:id/tamanhos': (targets) => [{ params: params(targets), status: 200 }],
  'GET /usuarios/capacidade/:id/horas': (targets) => [
    { params: params(targets), query: 'mes=2026-03', status: 200 },
  ],
  'GET /usuarios/capacidade/:id/horas.csv': (targets) => [{ params: params(targets), status: 200 }],
  'GET /usuarios/capacidade/:id/autorizados': (targets) => [{ params: params(targets), status: 200 }],
  ...Object.fromEntries(
    ['PUT', 'DELETE'].flatMap((method) => [
      [
        `${method} /usuarios/capacidade/:id/autorizados/pessoas/:idUsuario`,
        (targets: Targets) => [
          { params: { ...params(targets), idUsuario: targets.person.idUsuario }, status: 204 },
        ],
      ],
      [
        `${method} /usuarios/capacidade/:id/autorizados/perfis/:idPerfil`,
        (targets: Targets) => [{ params: { ...params(targets), idPerfil: targets.idPerfil }, status: 204 }],
      ],
    ]),
  ),
}
