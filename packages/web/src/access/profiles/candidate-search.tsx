import { profilesApi } from '@bi-manager/contract'
import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { SEARCH_DELAY_MS } from '../../lib/lists/list-state.ts'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { SearchField } from '../../ui/page-search/search-field.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { NothingFound } from '../report-set/found-ticks.tsx'
import { usePages } from '../report-set/use-pages.ts'
import { CandidateName } from './candidate-name.tsx'
import type { MemberChoice } from './member-choice.ts'
import classes from './profiles.module.css'
import { membersKey } from './profiles-queries.ts'

/** A search by name and e-mail, with a checkbox for each user found. */
export const CandidateSearch = ({ idPerfil: id, choice }: { idPerfil: number; choice: MemberChoice }) => {
  const { chosen, whyNot, choose } = choice
  const [typed, setTyped] = useState('')
  const [searched] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const search = typed.trim() ? searched : ''
  const found = usePages([...membersKey(id), 'candidatos'], profilesApi.listCandidates, search, {
    params: { id },
  })
  const { rows = [] } = found
  const free = rows.filter((person) => !whyNot(person))
  const ticked = free.filter(({ idUsuario }) => chosen.has(idUsuario)).length
  return (
    <div className={shared.stackXs}>
      <SearchField
        label="Pesquisar por nome ou e-mail"
        value={typed}
        onChange={setTyped}
        isClearable
        isBusy={found.isFetching}
        data-autofocus
      />
      {found.error && !found.rows ? (
        <ListFailure error={found.error} isFetching={found.isFetching} onRetry={found.refetch} />
      ) : !found.rows ? (
        <SkeletonLines label="Carregando as pessoas" />
      ) : rows.length === 0 ? (
        <NothingFound />
      ) : (
        <div className={`${shared.kept} ${shared.outlined}`} data-stale={found.isFetching || undefined}>
          {free.length > 1 && (
            <Checkbox
              className={classes.all}
              label={`Marcar ${free.length === rows.length ? 'todas' : 'todas as disponíveis'} desta lista (${free.length})`}
              checked={ticked === free.length}
              indeterminate={ticked > 0 && ticked < free.length}
              onChange={({ currentTarget }) => choose(free, currentTarget.checked)}
            />
          )}
          <ul className={`${classes.candidates} ${shared.divided}`} aria-label="Pessoas encontradas">
            {rows.map((person) => {
              const reason = whyNot(person)
              return (
                <li key={person.idUsuario}>
                  <Checkbox
                    className={shared.breakable}
                    label={<CandidateName person={person} />}
                    checked={reason !== undefined || chosen.has(person.idUsuario)}
                    disabled={reason !== undefined}
                    onChange={({ currentTarget }) => choose([person], currentTarget.checked)}
                  />
                  {reason && <span className={shared.tag}>{reason}</span>}
                </li>
              )
            })}
          </ul>
          {found.hasMore && (
            <Button variant="subtle" fullWidth loading={found.isFetchingMore} onClick={found.showMore}>
              Mostrar mais
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
