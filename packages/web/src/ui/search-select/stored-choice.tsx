import { Box, CloseButton } from '@mantine/core'
// biome-ignore lint/style/noRestrictedImports: each chip is saved on its own
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { ErrorAlert } from '../error-alert.tsx'
import shared from '../shared.module.css'
import { SearchSelect } from './search-select.tsx'
import type { OptionSearch } from './select-options.ts'

interface Chosen {
  id: number
  name: string
}

interface StoredChoiceProps {
  label: string
  description?: ReactNode
  /** The accessible name of the list of chips. */
  listLabel: string
  searchKey: QueryKey
  search: OptionSearch<number>
  chosen: Chosen[]
  /** Key of the query that reads `chosen`. */
  chosenKey: QueryKey
  /** Stores on the server that the person or entity is chosen, or no longer. */
  store: (id: number, isChosen: boolean) => Promise<void>
}

/** A field that adds people or entities to a list of chips; each change is stored at once. */
export const StoredChoice = ({
  label,
  description,
  listLabel,
  searchKey,
  search,
  chosen,
  chosenKey,
  store,
}: StoredChoiceProps) => {
  const client = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const { mutate, isSuccess, variables, error } = useMutation({
    mutationFn: ({ id, isChosen }: Chosen & { isChosen: boolean }) => store(id, isChosen),
    // The removed chip had the focus.
    onSuccess: (_, { isChosen }) => {
      if (!isChosen) field.current?.focus()
    },
    // Also after the server refused: another administrator may have changed the list.
    onSettled: () => client.invalidateQueries({ queryKey: chosenKey }),
  })
  return (
    <div>
      <SearchSelect
        ref={field}
        label={label}
        description={description}
        placeholder="Pesquise pelo nome"
        queryKey={searchKey}
        search={search}
        value={null}
        onChange={(option) => option && mutate({ id: option.value, name: option.label, isChosen: true })}
      />
      {chosen.length > 0 && (
        <Box component="ul" mt="0.5rem" className={shared.chips} aria-label={listLabel}>
          {chosen.map(({ id, name }) => (
            <li key={id} className={`${shared.chip} ${shared.active}`}>
              {name}
              <CloseButton
                size="sm"
                aria-label={`Retirar ${name}`}
                onClick={() => mutate({ id, name, isChosen: false })}
              />
            </li>
          ))}
        </Box>
      )}
      <p role="status" className={shared.screenReaderOnly}>
        {isSuccess && `${variables.name} ${variables.isChosen ? 'entrou na' : 'saiu da'} lista.`}
      </p>
      <ErrorAlert error={error} mt="xs" />
    </div>
  )
}
