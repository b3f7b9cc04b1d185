import { grantsApi, type ReportChoice, type User } from '@bi-manager/contract'
import { Text } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { call, callSet } from '../../lib/api/api.ts'
import { workspaceQuery } from '../../lib/api/entity-queries.ts'
import { grantsKey } from '../../lib/api/query-keys.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { PageSearch } from '../../ui/page-search/page-search.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { NothingFound } from '../report-set/found-ticks.tsx'
import { RestoredMarks } from '../report-set/restored-marks.tsx'
import { SetSaveBar } from '../report-set/set-save-bar.tsx'
import { TickList } from '../report-set/tick-list.tsx'
import { useSetSave } from '../report-set/use-set-save.ts'
import { useTicks } from '../report-set/use-ticks.ts'
import { refreshEnds } from './grant-end.tsx'
import { grantHints } from './grant-hints.tsx'
import { grantTexts } from './grant-texts.ts'
import classes from './grants.module.css'
import { loadChoices, tickedOf } from './grants-queries.ts'

interface GroupReportsProps {
  user: User
  grupo: number
  /** Number of times 'Buscar Relatórios' was pressed. */
  search: number
  onNothing: () => void
}

/** Delay between the arrival of the reports and the scroll to their section. */
const SCROLL_MS = 500

export const GroupReports = ({
  user: { idUsuario, nomeUsuario },
  grupo,
  search,
  onNothing,
}: GroupReportsProps) => {
  const client = useQueryClient()
  const [opening] = useState(() => ++openings)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...grantsKey, idUsuario, grupo, opening],
    queryFn: ({ signal }) => loadChoices(idUsuario, grupo, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const known = useQuery(workspaceQuery(grupo))
  const nomeGrupo = known.data?.nomeGrupo ?? data?.[0]?.nomeGrupo ?? `nº ${grupo}`
  const section = useRef<HTMLElement>(null)
  useArrival({ count: data?.length, search, section, onNothing, refetch: () => void refetch() })

  return (
    <section
      ref={section}
      className={`${shared.panelWithBar} ${shared.stackMd} ${classes.section}`}
      aria-labelledby="relatorio"
      aria-busy={isFetching}
    >
      <div>
        <h2 id="relatorio" className={shared.heading}>
          Relatório
        </h2>
        <p className={`${shared.underHeading} ${shared.breakable}`}>Grupo: {nomeGrupo}</p>
      </div>
      {data ? (
        data.length > 0 ? (
          <Checklist
            choices={data}
            user={{ idUsuario, nomeUsuario }}
            grupo={grupo}
            nomeGrupo={nomeGrupo}
            onSaved={() => refreshEnds(client, idUsuario)}
          />
        ) : (
          <Text py="1rem" c="dimmed" ta="center">
            Não há relatórios cadastrados para esse usuários!
          </Text>
        )
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines label="Carregando os relatórios" />
      )}
    </section>
  )
}

let openings = 0

interface ChecklistProps {
  choices: ReportChoice[]
  user: Pick<User, 'idUsuario' | 'nomeUsuario'>
  grupo: number
  nomeGrupo: string
  onSaved: () => void
}

const Checklist = ({
  choices,
  user: { idUsuario, nomeUsuario },
  grupo,
  nomeGrupo,
  onSaved,
}: ChecklistProps) => {
  const { ticks, setTicks, tick, isRestored } = useTicks(tickedOf(choices))
  const [typed, setTyped] = useState('')
  const saving = useSetSave({
    ticks,
    setTicks,
    reread: async () => {
      const params = { idUsuario, idGrupoRelatorio: grupo }
      const { rows, tag } = await callSet(grantsApi.listOfGroup, { params })
      return { rows: tickedOf(rows), tag }
    },
    save: async (idRelatorios, ifMatch) => {
      const body = { idGrupoRelatorio: grupo, idRelatorios }
      const all = await call(grantsApi.replace, { params: { idUsuario }, body }, { ifMatch })
      return all.filter((grant) => grant.idGrupoRelatorio === grupo)
    },
    onSaved,
  })
  const found = choices.filter(({ nomeRelatorio }) => matchesSearch(nomeRelatorio, typed))
  const { hint, removedHint } = grantHints(idUsuario, ticks)
  return (
    <>
      {isRestored && <RestoredMarks />}
      <PageSearch label="Pesquisar relatório" value={typed} onChange={setTyped} />
      {found.length === 0 ? (
        <NothingFound />
      ) : (
        <div>
          <TickList
            label="Relatórios do grupo"
            reports={found}
            ticks={ticks}
            onTick={tick}
            hint={hint}
            offersAll
          />
        </div>
      )}
      <SetSaveBar
        saving={saving}
        ticks={ticks}
        setTicks={setTicks}
        texts={grantTexts(nomeUsuario, nomeGrupo)}
        removedHint={removedHint}
      />
    </>
  )
}

interface Arrival {
  count: number | undefined
  search: number
  section: RefObject<HTMLElement | null>
  onNothing: () => void
  refetch: () => void
}

/**
 * Scrolls to the section when reports arrive; without any, shows a message and refetches per press.
 */
const useArrival = ({ count, search, section, onNothing, refetch }: Arrival) => {
  const isReduced = useReducedMotion()
  const looked = useRef(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per response and per press
  useEffect(() => {
    if (search !== looked.current && !count) refetch()
    looked.current = search
    // Opened from a URL with a workspace, without a press of the button.
    if (count === undefined || search === 0) return
    if (count === 0) return onNothing()
    const timer = setTimeout(
      () => section.current?.scrollIntoView({ block: 'start', behavior: isReduced ? 'instant' : 'smooth' }),
      SCROLL_MS,
    )
    return () => clearTimeout(timer)
  }, [count, search])
}
