import { grantsApi, type ReportChoice, usersApi, workspacesApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call, callSet, type TaggedSet } from '../../lib/api/api.ts'
import type { ReportRef } from '../../ui/report-set/ticks.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

export const usersKey = ['usuarios'] as const
/** Key prefix of the queries of a user's granted reports. */
export const grantsKey = ['permissoes'] as const

export const getUser = (id: number, signal: AbortSignal) => call(usersApi.get, { params: { id } }, { signal })

export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: ['workspaces', id],
    queryFn: ({ signal }) => call(workspacesApi.get, { params: { id } }, { signal }),
  })

export const loadChoices = (
  idUsuario: number,
  idGrupoRelatorio: number,
  signal?: AbortSignal,
): Promise<ReportChoice[]> =>
  call(grantsApi.listOfGroup, { params: { idUsuario, idGrupoRelatorio } }, signal && { signal })

/** Fetches the granted reports of a workspace with their ETag. */
export const rereadGroup = async (
  idUsuario: number,
  idGrupoRelatorio: number,
): Promise<TaggedSet<ReportRef>> => {
  const { rows, tag } = await callSet(grantsApi.listOfGroup, { params: { idUsuario, idGrupoRelatorio } })
  return { rows: tickedOf(rows), tag }
}

export const rereadGrants = (idUsuario: number): Promise<TaggedSet<ReportRef>> =>
  callSet(grantsApi.listOfUser, { params: { idUsuario } })

export const loadGrants = (idUsuario: number, signal?: AbortSignal): Promise<ReportRef[]> =>
  call(grantsApi.listOfUser, { params: { idUsuario } }, signal && { signal })

export const tickedOf = (choices: readonly ReportChoice[]): ReportChoice[] =>
  choices.filter(({ isChecked }) => isChecked)

/** Replaces a user's grants in one workspace; returns the workspace's resulting grants. */
export const saveGroup = async (
  idUsuario: number,
  idGrupoRelatorio: number,
  idRelatorios: number[],
  ifMatch: string,
): Promise<ReportRef[]> => {
  const all = await call(
    grantsApi.replace,
    { params: { idUsuario }, body: { idGrupoRelatorio, idRelatorios } },
    { ifMatch },
  )
  return all.filter((grant) => grant.idGrupoRelatorio === idGrupoRelatorio)
}

export const saveGrants = (
  idUsuario: number,
  idRelatorios: number[],
  ifMatch: string,
): Promise<ReportRef[]> =>
  call(grantsApi.replace, { params: { idUsuario }, body: { idRelatorios } }, { ifMatch })

/** Returns the query of the reasons why a user can view a report. */
export const reasonsQuery = (idUsuario: number, idRelatorio: number) =>
  queryOptions({
    queryKey: ['acesso', idUsuario, idRelatorio],
    queryFn: ({ signal }) => call(grantsApi.explain, { params: { idUsuario, idRelatorio } }, { signal }),
  })

export const searchGroups = searchOptions(workspacesApi.groupOptions, ({ idGrupoRelatorio, nomeGrupo }) => ({
  value: idGrupoRelatorio,
  label: nomeGrupo,
}))
