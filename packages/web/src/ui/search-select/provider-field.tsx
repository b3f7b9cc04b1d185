import { guidField } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { matchesNameOrId } from '../../lib/text/search-text.ts'
import shared from '../shared.module.css'
import { SearchSelect } from './search-select.tsx'
import { OPTIONS_AT_MOST, type SelectOption } from './select-options.ts'

export interface ProviderFieldProps extends ComponentProps<typeof SearchSelect<string>> {
  /** What the connection sees at the provider, once it is read. */
  objects: SelectOption<string>[] | undefined
  /** The query that could not be read. */
  failed: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'> | undefined
  /** The sentences before and after the error, and about an object that is not in `objects`. */
  texts: { loadFailed: string; whatToDo: string; notListed: string }
}

const guid = guidField('')

/** Offers the objects of the BI provider, or takes a typed id. */
export const ProviderField = ({ value, objects, failed, texts, ...field }: ProviderFieldProps) => {
  // Provider ids are case-insensitive.
  const known = value && objects?.find((one) => one.value.toLowerCase() === value.value.toLowerCase())
  return (
    <div>
      <SearchSelect
        {...field}
        typedOption={(text) => (guid.safeParse(text).success ? { value: text, label: text } : undefined)}
        value={known ? { ...value, label: known.label } : value}
      />
      {failed && (
        <p role="status" className={shared.fieldWarning}>
          {texts.loadFailed} {messageOf(failed.error)} {texts.whatToDo}{' '}
          <Anchor
            component="button"
            type="button"
            size="sm"
            underline="always"
            onClick={() => void failed.refetch()}
          >
            {failed.isFetching ? 'Tentando…' : 'Tentar novamente'}
          </Anchor>
        </p>
      )}
      {value && objects && !known && !failed && (
        <p role="status" className={shared.fieldWarning}>
          {texts.notListed} Você pode gravar assim mesmo.
        </p>
      )}
    </div>
  )
}

/** Returns the objects that match by name or id as options. */
export const matchingObjects = (text: string, objects: SelectOption<string>[]): SelectOption<string>[] =>
  objects
    .filter(({ label, value }) => matchesNameOrId(label, value, text))
    .slice(0, OPTIONS_AT_MOST)
    .map((option) => ({ ...option, description: option.value }))
