// One setting of a carrier as the control its kind asks for: a number with its bounds, a switch, a choice, a line of text.
import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import type { CarrierField } from '../../../../src/panel-api/staff/carriers-contract.ts';
import { carrierField, optionLabel } from './carrier-field-words.ts';

type Props = { field: CarrierField; value: string; error?: string; onChange: (value: string) => void };

/** What a choice costs takes a few lines to say. */
const wide = { gridColumn: '1 / -1' };

export function CarrierControl({ field, value, error, onChange }: Props) {
  const { control, name, isNeeded } = field;
  const { isLong, ...words } = carrierField(name);
  const style = isLong ? wide : undefined;
  if (control.kind === 'number')
    return (
      <NumberInput
        {...words}
        style={style}
        error={error}
        required={isNeeded}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        min={control.min}
        max={control.max}
        value={value}
        onChange={given => onChange(String(given))}
      />
    );
  if (control.kind === 'switch') {
    const { label, description } = words;
    const isOn = value === 'on';
    return (
      <Switch
        {...{ label, description, error, style }}
        checked={isOn}
        onChange={event => onChange(event.currentTarget.checked ? 'on' : 'off')}
      />
    );
  }
  if (control.kind === 'choice')
    return (
      <NativeSelect
        {...words}
        style={style}
        error={error}
        value={value}
        data={control.options.map(option => ({ value: option, label: optionLabel(name, option) }))}
        onChange={event => onChange(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...words}
      style={style}
      error={error}
      required={isNeeded}
      maxLength={control.max}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}
