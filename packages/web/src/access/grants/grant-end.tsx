import { grantsApi } from '@bi-manager/contract'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { grantsKey, reasonsKey } from '../../lib/api/query-keys.ts'
import { LastDay } from '../../ui/day-field/last-day.tsx'
import type { ReportRef } from '../report-set/ticks.ts'
import classes from './grants.module.css'

const endsQuery = (idUsuario: number) =>
  queryOptions({
    queryKey: [...grantsKey, idUsuario, 'prazos'],
    queryFn: ({ signal }) => call(grantsApi.listOfUser, { params: { idUsuario } }, { signal }),
  })

/** Reads again what a change of a user's grants changes: their last days and the reasons of access. */
export const refreshEnds = (client: QueryClient, idUsuario: number): void => {
  void client.invalidateQueries({ queryKey: endsQuery(idUsuario).queryKey })
  void client.invalidateQueries({ queryKey: [...reasonsKey, idUsuario] })
}

interface GrantEndProps {
  idUsuario: number
  report: ReportRef
}

/** The last day of a saved grant. */
export const GrantEnd = ({ idUsuario, report: { idRelatorio, nomeRelatorio } }: GrantEndProps) => {
  const client = useQueryClient()
  const { data: grant } = useQuery({
    ...endsQuery(idUsuario),
    select: (grants) => grants.find((one) => one.idRelatorio === idRelatorio),
  })
  if (!grant) return null
  return (
    <span className={classes.end}>
      <LastDay
        name={nomeRelatorio}
        day={grant.validoAte}
        title="Prazo do acesso"
        note="No fim deste dia, a permissão direta deixa de valer; a pessoa é avisada sete dias antes. Sem data, ela não vence."
        save={(validoAte) => call(grantsApi.create, { body: { idUsuario, idRelatorio, validoAte } })}
        onSaved={() => refreshEnds(client, idUsuario)}
      />
    </span>
  )
}
