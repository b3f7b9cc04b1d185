import type { ExternalGroup } from '@bi-manager/contract'
import { Box, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import '@mantine/core/styles/Checkbox.layer.css'
import { counted } from '../../lib/text/counted.ts'
import { matchesNameOrId } from '../../lib/text/search-text.ts'
import dialog from '../../ui/dialog/dialog.module.css'
import { Form } from '../../ui/form.tsx'
import { SearchField } from '../../ui/page-search/search-field.tsx'
import shared from '../../ui/shared.module.css'
import classes from './import-reports.module.css'

interface ChooseGroupsProps {
  groups: ExternalGroup[]
  chosen: ExternalGroup[]
  onChange: (chosen: ExternalGroup[]) => void
  onSubmit: () => void
  onCancel: () => void
}

/** Rows drawn at once: a tenant may have thousands of groups. */
const MAX_SHOWN = 50
/** Each chosen group is one call to the provider. */
const MAX_CHOSEN = 20
const SEARCH_FROM = 9

/** The first step of an import: the groups of a connection, searched by name or id. */
export const ChooseGroups = ({ groups, chosen, onChange, onSubmit, onCancel }: ChooseGroupsProps) => {
  const [search, setSearch] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const found = groups.filter(({ nomeGrupo, idGrupo }) => matchesNameOrId(nomeGrupo, idGrupo, search))
  const shown = found.slice(0, MAX_SHOWN)
  const ids = new Set(chosen.map(({ idGrupo }) => idGrupo))
  const isFull = chosen.length >= MAX_CHOSEN
  const isMissing = isSubmitted && chosen.length === 0

  const toggle = (group: ExternalGroup, isTicked: boolean) =>
    onChange(isTicked ? [...chosen, group] : chosen.filter(({ idGrupo }) => idGrupo !== group.idGrupo))

  const submit = () => {
    setSubmitted(true)
    if (chosen.length > 0) onSubmit()
  }

  return (
    <Form onSubmit={submit} className={shared.stackLg}>
      {groups.length >= SEARCH_FROM && (
        <SearchField label="Buscar grupo por nome ou id" value={search} onChange={setSearch} isClearable />
      )}
      <fieldset className={classes.reports}>
        <Box component="legend" mb="0.5rem" fw={600}>
          Grupos do serviço de BI
        </Box>
        {shown.length === 0 && <p className={shared.note}>Desculpe! Sem resultados para essa pesquisa.</p>}
        {shown.map((group) => (
          <div key={group.idGrupo} className={`${classes.report} ${shared.row} ${classes.line}`}>
            <Checkbox
              label={group.nomeGrupo}
              checked={ids.has(group.idGrupo)}
              disabled={isFull && !ids.has(group.idGrupo)}
              onChange={(event) => toggle(group, event.currentTarget.checked)}
            />
            {group.idGrupoRelatorio !== null && <span className={shared.tag}>já cadastrado</span>}
          </div>
        ))}
        {found.length > shown.length && (
          <p className={shared.note} role="status">
            Mostrando {shown.length} de {found.length.toLocaleString('pt-BR')} grupos. Pesquise para achar os
            outros.
          </p>
        )}
      </fieldset>
      <div className={`${dialog.footer} ${shared.toolbar}`}>
        <span role="status" className={isMissing ? classes.missing : shared.note}>
          {isMissing ? 'Marque ao menos um grupo.' : chosenText(chosen.length)}
        </span>
        <div className={shared.buttons}>
          <Button variant="default" onClick={onCancel}>
            Cancelar
          </Button>
          <Button type="submit">Ver relatórios</Button>
        </div>
      </div>
    </Form>
  )
}

const chosenText = (count: number): string => {
  if (count === 0) return 'Nenhum grupo marcado'
  const text = counted(count, 'grupo marcado', 'grupos marcados')
  return count < MAX_CHOSEN ? text : `${text}, o máximo de uma vez`
}
