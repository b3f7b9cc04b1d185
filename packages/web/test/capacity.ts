import type { Capacity } from '@bi-manager/contract'

/** A capacity for tests of screens. */
export const capacity: Capacity = {
  idCapacidade: 7,
  nome: 'Produção',
  idPowerBi: 1,
  nomePowerBi: 'Matriz',
  recurso: '/subscriptions/x',
  tipoCapacidade: 'F',
  diasAgenda: [],
  iniciaAs: null,
  pausaAs: null,
  feriados: [],
  ociosaMinutos: null,
  tamanhoInicio: null,
  tamanhoFim: null,
  estadoCapacidade: 'PAUSADA',
  sku: 'F2',
  versao: 1,
}

/** An answer of the portal that refuses a call. */
export const refusal = (detail: string) =>
  Response.json(
    {
      type: 'about:blank',
      title: 'Falha',
      status: 502,
      codigo: 'bi_indisponivel',
      detail,
      idRequisicao: '1',
    },
    { status: 502, headers: { 'content-type': 'application/problem+json' } },
  )
