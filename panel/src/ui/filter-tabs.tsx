// The common views of a list as tabs with counts; each is a filter in the address.
type FilterTab = { key: string; label: string; count?: string; chosen: boolean; choose: () => void };

export function FilterTabs({ label, tabs }: { label: string; tabs: FilterTab[] }) {
  return (
    <nav className="filter-tabs" aria-label={label}>
      {tabs.map(tab => (
        <button type="button" key={tab.key} aria-pressed={tab.chosen} onClick={tab.choose}>
          {tab.label}
          {tab.count && <small>{tab.count}</small>}
        </button>
      ))}
    </nav>
  );
}
