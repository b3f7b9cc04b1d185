import { type DataReplacement, MAX_UPLOAD_BYTES, ownValue, type PublishedReport } from '@bi-manager/contract'
import { Alert, NativeSelect } from '@mantine/core'
import { IconFileSpreadsheet, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../lib/text/counted.ts'
import { sizeText } from '../../lib/text/size-text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { FileDrop } from '../../ui/file-drop/file-drop.tsx'
import shared from '../../ui/shared.module.css'
import columns from '../columns/columns.module.css'
import { ColumnsTable } from '../columns/columns-table.tsx'
import { hasNotation, NotationFields } from '../columns/notation-fields.tsx'
import { hasChoice, PlaceFields } from '../columns/place-fields.tsx'
import editor from '../editor/editor.module.css'
import { Findings } from '../editor/findings.tsx'
import { DraftsNote } from '../files/drafts-note.tsx'
import { acceptedData } from '../files/file-section.tsx'
import { UnusableFile } from '../files/unusable-file.ts'
import own from './published.module.css'
import { tablesQuery } from './published-queries.ts'
import { ScaleQuestion } from './scale-question.tsx'
import { type Checked, useReplacement } from './use-replacement.ts'
import '@mantine/core/styles/Combobox.layer.css'

/** Replaces the data of a report by a file with the same columns: chosen, checked, confirmed. */
export const DataSection = ({ report: { reportId } }: { report: PublishedReport }) => {
  const tables = useQuery(tablesQuery(reportId))
  const [chosen, setChosen] = useState<string>()
  const tabela = chosen ?? tables.data?.find(({ oculta }) => !oculta)?.nome ?? tables.data?.[0]?.nome ?? ''
  const table = tables.data?.find(({ nome }) => nome === tabela)
  const replacement = useReplacement(reportId)
  const { outcome, error, isChecking, isReplacing } = replacement
  const isBusy = isChecking || isReplacing
  const done = outcome?.erros.length === 0 ? outcome : undefined
  const checked = done ? undefined : replacement.checked
  const found = outcome ?? checked?.result
  return (
    <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby="dados">
      <div>
        <h2 id="dados" className={shared.subheading}>
          Substituir dados
        </h2>
        <p className={shared.underHeading}>
          Escolha um arquivo com as mesmas colunas: os dados são trocados, e a definição do relatório fica
          como está.
        </p>
      </div>
      {tables.error && (
        <ListFailure
          error={tables.error}
          isFetching={tables.isFetching}
          onRetry={() => void tables.refetch()}
        />
      )}
      {(tables.data?.length ?? 0) > 1 && (
        <NativeSelect
          label="Tabela"
          className={own.narrow ?? ''}
          value={tabela}
          disabled={isBusy}
          data={(tables.data ?? []).map(({ nome, oculta }) => ({
            value: nome,
            label: oculta ? `${nome} (só das regras de linha)` : nome,
          }))}
          onChange={({ currentTarget: { value } }) => {
            setChosen(value)
            replacement.reset()
          }}
        />
      )}
      {table && (
        <>
          <p className={`${shared.note} ${shared.breakable}`}>
            Colunas: {table.colunas.map(({ rotulo }) => rotulo).join(', ')}.
          </p>
          <FileDrop
            label="Arquivo com os dados novos"
            icon={<IconFileSpreadsheet size={40} stroke={1.4} aria-hidden className={shared.accent} />}
            accept={acceptedData}
            button={{ variant: 'default', children: checked ? 'Escolher outro arquivo' : 'Escolher arquivo' }}
            note={`ou solte-o aqui: CSV, XLSX ou Parquet, até ${sizeText(MAX_UPLOAD_BYTES)}`}
            isBusy={isBusy}
            onChoose={(file) => replacement.send(file, tabela)}
          >
            {checked && <ChosenFile checked={checked} />}
          </FileDrop>
          <DraftsNote replaced={replacement.replaced} />
        </>
      )}
      {checked && (
        <div className={columns.choices}>
          {hasChoice(checked.result.lugar) && (
            <PlaceFields lugar={checked.result.lugar} disabled={isBusy} onChange={replacement.choosePlace} />
          )}
          {hasNotation(checked.result.escrita) && (
            <NotationFields
              escrita={checked.result.escrita}
              columns={checked.result.colunas}
              disabled={isBusy}
              onChange={replacement.chooseNotation}
            />
          )}
        </div>
      )}
      {checked && checked.result.colunas.length > 0 && (
        <>
          <p className={shared.note}>
            Cada coluna fica com o tipo que tem nos dados publicados, ou com um mais amplo, se os valores
            novos precisam. Mude o que não estiver certo.
          </p>
          <ErrorAlert error={replacement.refused.join(' ')} />
          <ColumnsTable
            label="Primeiras linhas do arquivo novo"
            columns={checked.result.colunas}
            rows={checked.result.amostra}
            isBusy={isBusy}
            isPublished={false}
            isInDoubt={checked.result.escrita.marcaEmDuvida}
            isOrderInDoubt={checked.result.escrita.ordemEmDuvida}
            onType={replacement.chooseType}
          />
          {replacement.questions.map((question) => (
            <ScaleQuestion
              key={question.nome}
              question={question}
              value={ownValue(checked.choices.escalas, question.nome)}
              disabled={isBusy}
              onChoose={(scale) => replacement.chooseScale(question.nome, scale)}
            />
          ))}
        </>
      )}
      <div role="status" className={shared.stackXs}>
        {isChecking && <p className={shared.note}>Conferindo as colunas…</p>}
        {done && (
          <p>
            Dados substituídos: {counted(done.linhas, 'linha', 'linhas')}. A versão anterior está na lista.
          </p>
        )}
        {found && <Changes result={found} />}
        {found && !done && (
          <Findings
            result={found}
            passed={
              found.mudancas.length > 0
                ? 'Conferido: o relatório funciona com os dados novos.'
                : 'Conferido: as colunas são as mesmas.'
            }
            refused="Este arquivo não pode substituir os dados"
          />
        )}
      </div>
      <ErrorAlert error={error instanceof UnusableFile ? error.message : error} />
      {checked?.result.erros.length === 0 && (
        <div className={shared.buttonsAtEnd}>
          <ActionButton
            isMain
            label={`Substituir por ${counted(checked.result.linhas, 'linha', 'linhas')}`}
            loading={isReplacing}
            disabled={isChecking}
            onClick={replacement.replace}
          />
        </div>
      )}
    </section>
  )
}

/** What is not as in the published data. */
const Changes = ({ result: { mudancas } }: { result: DataReplacement }) =>
  mudancas.length > 0 && (
    <Alert color="teal" icon={<IconInfoCircle aria-hidden />} title="O que muda nas colunas">
      <ul className={editor.findings}>
        {mudancas.map((sentence) => (
          <li key={sentence}>{`${sentence.charAt(0).toLocaleUpperCase('pt-BR')}${sentence.slice(1)}.`}</li>
        ))}
      </ul>
    </Alert>
  )

const ChosenFile = ({ checked: { sent, result } }: { checked: Checked }) => (
  <p className={shared.breakable}>
    <strong>{sent.file.name}</strong>
    {result.linhas > 0 && ` · ${counted(result.linhas, 'linha', 'linhas')}`}
  </p>
)
