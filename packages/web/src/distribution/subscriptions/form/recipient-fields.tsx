import { profilesApi } from '@bi-manager/contract'
import { SegmentedControl } from '@mantine/core'
import { profilesKey, usersKey } from '../../../lib/api/query-keys.ts'
import { ChosenMany } from '../../../ui/search-select/chosen-many.tsx'
import { searchOptions } from '../../../ui/search-select/select-options.ts'
import { searchUsers } from '../../../ui/search-select/user-options.ts'
import classes from '../../deliveries/delivery.module.css'
import { FormPart } from '../../deliveries/delivery-form.tsx'
import type { PartProps } from './subscription-values.ts'

const searchProfiles = searchOptions(profilesApi.list, ({ idPerfil, nomePerfil, quantidadeMembros }) => ({
  value: idPerfil,
  label: nomePerfil,
  mark: quantidadeMembros === 0 ? 'sem membros' : undefined,
}))

/** The recipients, whom only an ADMIN chooses. */
export const RecipientFields = ({ values, set, faults }: PartProps) => (
  <FormPart title="Para quem">
    <SegmentedControl
      aria-label="Para quem"
      data={[
        { value: 'eu', label: 'Só para mim' },
        { value: 'outros', label: 'Pessoas e perfis' },
      ]}
      value={values.paraOutros ? 'outros' : 'eu'}
      onChange={(value) => set({ paraOutros: value === 'outros' })}
    />
    {values.paraOutros && (
      <>
        <p className={classes.hint}>
          Cada pessoa recebe as próprias linhas, e só se puder ver o relatório na hora do envio. Ela é avisada
          no sino e pode sair quando quiser. Inclua a si mesmo para também receber.
        </p>
        <ChosenMany
          label="Pessoas"
          name="idPessoas"
          placeholder="Pesquise pelo nome ou e-mail"
          queryKey={usersKey}
          search={searchUsers}
          chosenLabel="Pessoas escolhidas"
          value={values.pessoas}
          error={faults.idPessoas}
          onChange={(pessoas) => set({ pessoas })}
        />
        <ChosenMany
          label="Perfis"
          name="idPerfis"
          placeholder="Pesquise pelo nome"
          queryKey={profilesKey}
          search={searchProfiles}
          chosenLabel="Perfis escolhidos"
          value={values.perfis}
          error={faults.idPerfis}
          onChange={(perfis) => set({ perfis })}
        />
      </>
    )}
  </FormPart>
)
