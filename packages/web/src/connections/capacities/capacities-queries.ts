import { capacitiesApi, connectionsApi, profilesApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call, callInBackground } from '../../lib/api/api.ts'
import { capacitiesKey } from '../../lib/api/query-keys.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'
import { isChanging } from './capacity-texts.ts'

/** Polling interval of a capacity's state (ms), and while the state changes. */
const everyMs = 30_000
const changingMs = 5_000

export const statusQuery = (id: number) =>
  queryOptions({
    queryKey: [...capacitiesKey, id, 'estado'],
    queryFn: ({ signal }) => callInBackground(capacitiesApi.status, { params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isChanging(data.estado) ? changingMs : everyMs),
    retry: false,
    staleTime: 0,
  })

export const skusQuery = (id: number) =>
  queryOptions({
    queryKey: [...capacitiesKey, id, 'tamanhos'],
    queryFn: ({ signal }) => call(capacitiesApi.skus, { params: { id } }, { signal }),
    retry: false,
  })

export const hoursQuery = (id: number, mes: string) =>
  queryOptions({
    queryKey: [...capacitiesKey, id, 'horas', mes],
    queryFn: ({ signal }) => call(capacitiesApi.hours, { params: { id }, query: { mes } }, { signal }),
  })

export const startersQuery = (id: number) =>
  queryOptions({
    queryKey: [...capacitiesKey, id, 'autorizados'],
    queryFn: ({ signal }) => call(capacitiesApi.starters, { params: { id } }, { signal }),
  })

/** Only a service principal of Microsoft can have a role on a capacity. */
export const searchConnections = searchOptions(
  connectionsApi.list,
  ({ idPowerBI, nome, username, provedor, tipoCredencial }) => ({
    value: idPowerBI,
    label: nome,
    description: username,
    mark:
      provedor === 'microsoft' && tipoCredencial === 'service_principal'
        ? undefined
        : 'não administra capacidades',
  }),
)

export const searchProfiles = searchOptions(profilesApi.list, ({ idPerfil, nomePerfil }) => ({
  value: idPerfil,
  label: nomePerfil,
}))
