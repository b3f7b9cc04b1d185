import { KIOSK_SECONDS } from '@bi-manager/contract'
import { ActionIcon, NativeSelect, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../lib/api/api.ts'
import { reportsKey } from '../../lib/api/query-keys.ts'
import { searchReportsToShow } from '../../reports/index.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import shared from '../../ui/shared.module.css'
import type { PageValues } from './kiosk-values.ts'
import classes from './kiosks.module.css'
import { reportPagesQuery } from './kiosks-queries.ts'

interface PageFieldsProps {
  page: PageValues
  /** The number of the page, from 1. */
  number: number
  isLast: boolean
  /** Errors by field of the request: `idRelatorio`, `segundos`. */
  errors: Record<string, string | undefined>
  onChange: (change: Partial<PageValues>) => void
  onMove: (step: -1 | 1) => void
  onRemove: () => void
}

/** One page of the rotation: report, page and seconds. */
export const PageFields = ({ page, number, isLast, errors, onChange, onMove, onRemove }: PageFieldsProps) => {
  const title = `Página ${number}`
  const buttons = (
    <div className={classes.pageButtons}>
      <ActionIcon aria-label={`Subir a página ${number}`} disabled={number === 1} onClick={() => onMove(-1)}>
        <IconArrowUp size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={`Descer a página ${number}`} disabled={isLast} onClick={() => onMove(1)}>
        <IconArrowDown size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={`Retirar a página ${number}`} onClick={onRemove}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </div>
  )
  if (page.excluido !== null)
    return (
      <fieldset className={classes.page} aria-label={title}>
        <div className={classes.pageTitle}>{title}</div>
        <p className={shared.note}>
          O relatório “{page.excluido}” foi excluído. A página sai da lista ao gravar.
        </p>
        {buttons}
      </fieldset>
    )
  return (
    <fieldset className={classes.page} aria-label={title}>
      <div className={classes.pageTitle} aria-hidden>
        {title}
      </div>
      <SearchSelect
        label="Relatório"
        placeholder="Pesquise pelo nome"
        queryKey={[...reportsKey, 'telao']}
        search={searchReportsToShow}
        value={page.relatorio}
        onChange={(relatorio) => onChange({ relatorio, pagina: '', titulo: '' })}
        error={errors.idRelatorio}
      />
      <ReportPageField page={page} onChange={onChange} />
      <TextInput
        label="Segundos"
        inputMode="numeric"
        maxLength={String(KIOSK_SECONDS.most).length}
        autoComplete="off"
        value={page.segundos}
        onChange={({ currentTarget }) => onChange({ segundos: currentTarget.value.replace(/\D/g, '') })}
        error={errors.segundos}
      />
      {buttons}
    </fieldset>
  )
}

/** The pages of the chosen report, as the provider names them. */
const ReportPageField = ({ page, onChange }: Pick<PageFieldsProps, 'page' | 'onChange'>) => {
  const { relatorio, pagina, titulo } = page
  const { data, error } = useQuery({
    ...reportPagesQuery(relatorio?.value ?? 0),
    enabled: relatorio !== null,
  })
  const pages = (data ?? []).map(({ nome, titulo: label }) => ({ value: nome, label }))
  const isListed = pages.some(({ value }) => value === pagina)
  const kept = pagina && !isListed ? [{ value: pagina, label: titulo || pagina }] : []
  return (
    <NativeSelect
      label="Página"
      data={[{ value: '', label: 'A primeira' }, ...kept, ...pages]}
      value={pagina}
      onChange={({ currentTarget: { value } }) =>
        onChange({ pagina: value, titulo: pages.find((one) => one.value === value)?.label ?? '' })
      }
      disabled={relatorio === null}
      description={error ? `As páginas não puderam ser lidas. ${messageOf(error)}` : undefined}
    />
  )
}
