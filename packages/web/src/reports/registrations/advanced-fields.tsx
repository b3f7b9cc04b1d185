import { labelsOf, MAX_ADDITIONAL_DATASETS, reportEntity } from '@bi-manager/contract'
import { Switch, TagsInput, TextInput } from '@mantine/core'
import { AdvancedSection } from '../../ui/entity-form/advanced-section.tsx'
import type { EntityForm } from '../../ui/entity-form/use-entity-form.ts'
import '@mantine/core/styles/Switch.layer.css'
import { type ReportValues, sendsIdentity } from './report-values.ts'

const labels = labelsOf(reportEntity)

interface AdvancedFieldsProps {
  form: Pick<EntityForm<ReportValues, never>, 'values' | 'errors' | 'text' | 'field' | 'check'>
  isPaginated: boolean
}

const identityOfInteractive =
  'Só para dados do Analysis Services sem papéis: o e-mail e a Identidade de segurança de quem abre vão com o relatório. Com papéis, a identidade já vai.'
const identityOfPaginated =
  'O relatório recebe o e-mail de quem abre no campo UserID. Com papéis, a identidade já vai.'
const datasetsOfInteractive =
  'Só para modelos compostos: os conjuntos do Power BI que o conjunto deste relatório consulta.'
const datasetsOfPaginated = 'Os conjuntos do Power BI que este relatório paginado lê. Vazio: nenhum.'

/** The fields that only Analysis Services, composite models and paginated reports need. */
export const AdvancedFields = ({
  form: { values, errors, text, field, check },
  isPaginated,
}: AdvancedFieldsProps) => (
  <AdvancedSection
    isFilled={
      isPaginated ||
      values.enviaIdentidade ||
      values.usuarioIdentidade !== '' ||
      values.datasetsAdicionais.length > 0
    }
    isFaulty={Boolean(errors.enviaIdentidade || errors.usuarioIdentidade || errors.datasetsAdicionais)}
  >
    <Switch
      label={labels.enviaIdentidade}
      description={isPaginated ? identityOfPaginated : identityOfInteractive}
      {...check('enviaIdentidade')}
    />
    {sendsIdentity(values) && (
      <TextInput
        label={labels.usuarioIdentidade}
        description="Só para o Azure Analysis Services: o id de objeto do service principal, ou o id do perfil. Vazio: o e-mail de quem abre."
        maxLength={256}
        spellCheck={false}
        autoComplete="off"
        {...text('usuarioIdentidade')}
      />
    )}
    <TagsInput
      label={labels.datasetsAdicionais}
      description={`${isPaginated ? datasetsOfPaginated : datasetsOfInteractive} Enter acrescenta um; de outro workspace, escreva o id dele, uma barra e o id do conjunto.`}
      placeholder={values.datasetsAdicionais.length === 0 ? 'Id do conjunto (GUID)' : ''}
      maxTags={MAX_ADDITIONAL_DATASETS}
      {...field('datasetsAdicionais')}
    />
  </AdvancedSection>
)
