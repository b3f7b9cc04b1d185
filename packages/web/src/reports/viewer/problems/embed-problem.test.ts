import { expect, test } from 'vitest'
import {
  asEmbedError,
  callFailureSentence,
  embedProblem,
  isServiceDown,
  isTransientError,
} from './embed-problem.ts'
import { TimeLimitError } from './time-limit.ts'
import { restartBackoff } from './viewer-problem.ts'

test('embedProblem translates an error event into Portuguese and keeps its code for support', () => {
  expect(embedProblem(asEmbedError({ message: 'PowerBIEntityNotFound', level: 6 }))).toEqual({
    title: 'Relatório inexistente no serviço de BI',
    detail: 'O serviço de BI não encontrou este relatório. Avise um administrador.',
    action: 'leave',
    code: 'PowerBIEntityNotFound',
  })
  expect(embedProblem(asEmbedError([{ message: 'NeverHeardOf' }])).detail).toMatch(/informou um erro/)
  expect(asEmbedError(undefined).message).toBe('Unknown')
})

test.each([
  { message: 'CapacityNotActive' },
  { message: 'FailedToLoadModel', errorCode: 'CapacityNotActive' },
  {
    message: 'FailedToLoadModel',
    technicalDetails: {
      errorInfo: [
        {
          key: 'Underlying Error',
          value: 'Capacity operation failed with error code CapacityNotActive',
        },
      ],
    },
  },
])('embedProblem recognises a paused capacity in any field of the event: %j', (event) => {
  const error = asEmbedError(event)
  expect(embedProblem(error)).toMatchObject({ title: 'Serviço de BI pausado', reopens: { seconds: 60 } })
  expect(isTransientError(error)).toBe(true)
})

test('embedProblem reopens automatically after transient errors only', () => {
  const reopening = (message: string) => embedProblem({ message }).reopens
  expect(reopening('TokenExpired')).toEqual({ seconds: 1, isNamed: false })
  expect(reopening('ServiceUnavailable')).toEqual(restartBackoff)
  // The local service's limit of answers per reader. The page of a kiosk must retry by itself.
  expect(reopening('TooManyUnreadAnswers')).toMatchObject({ seconds: 30 })
  expect([{ message: 'ServiceUnavailable' }, { message: 'LoadReportFailed' }].map(isServiceDown)).toEqual([
    true,
    false,
  ])
  expect([reopening('PowerBINotAuthorizedException'), reopening('InvalidParameters')]).toEqual([
    undefined,
    undefined,
  ])
})

test('embedProblem says that a call got no answer or was refused', () => {
  expect(callFailureSentence(new TimeLimitError())).toMatch(/não respondeu a tempo/)
  expect(callFailureSentence({ message: 'InvalidRequest' })).toMatch(/não aceitou/)
})
