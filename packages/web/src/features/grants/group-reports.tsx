import type { ReportChoice, User } from '@bi-manager/contract'
import { Skeleton, TextInput } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { NothingFound } from '../../ui/report-set/found-ticks.tsx'
import { RestoredMarks } from '../../ui/report-set/restored-marks.tsx'
import { SetSaveBar } from '../../ui/report-set/set-save-bar.tsx'
import { TickList } from '../../ui/report-set/tick-list.tsx'
import { useSetSave } from '../../ui/report-set/use-set-save.ts'
import { useTicks } from '../../ui/report-set/use-ticks.ts'
import { grantHints } from './grant-hints.tsx'
import { grantTexts } from './grant-texts.ts'
import classes from './grants.module.css'
import { grantsKey, groupQuery, loadChoices, rereadGroup, saveGroup, tickedOf } from './grants-queries.ts'

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
  const known = useQuery(groupQuery(grupo))
  const nomeGrupo = known.data?.nomeGrupo ?? data?.[0]?.nomeGrupo ?? `nº ${grupo}`
  const section = useRef<HTMLElement>(null)
  useArrival({ count: data?.length, search, section, onNothing, refetch: () => void refetch() })

  return (
    <section ref={section} className={classes.section} aria-labelledby="relatorio" aria-busy={isFetching}>
      <div>
        <h2 id="relatorio" className={classes.heading}>
          Relatório
        </h2>
        <p className={classes.email}>Grupo: {nomeGrupo}</p>
      </div>
      {data ? (
        data.length > 0 ? (
          <Checklist
            choices={data}
            user={{ idUsuario, nomeUsuario }}
            grupo={grupo}
            nomeGrupo={nomeGrupo}
            onSaved={() => void client.invalidateQueries({ queryKey: ['acesso', idUsuario] })}
          />
        ) : (
          <p className={classes.empty}>Não há relatórios cadastrados para esse usuários!</p>
        )
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <ChecklistSkeleton />
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
    reread: () => rereadGroup(idUsuario, grupo),
    save: (ids, ifMatch) => saveGroup(idUsuario, grupo, ids, ifMatch),
    onSaved,
  })
  const found = choices.filter(({ nomeRelatorio }) => matchesSearch(nomeRelatorio, typed))
  const { hint, removedHint } = grantHints(idUsuario, ticks)
  return (
    <>
      {isRestored && <RestoredMarks />}
      <TextInput
        type="search"
        aria-label="Pesquisar relatório"
        placeholder="Pesquisar relatório"
        leftSection={<IconSearch size={17} aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
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

const ChecklistSkeleton = () => (
  <div role="status" aria-label="Carregando os relatórios" className={classes.skeleton}>
    <Skeleton height={36} />
    {[60, 72, 48, 65].map((width) => (
      <div key={width} className={classes.skeletonRow}>
        <Skeleton height={20} width={20} />
        <Skeleton height={18} width={`${width}%`} />
      </div>
    ))}
  </div>
)
