import { Box, GlobalStyles, useTheme } from "@mui/material";
import { useEffect, useRef } from "react";
import UPlot from "uplot";
import styles from "uplot/dist/uPlot.min.css";
import type { OverviewQuery } from "../api/generated/graphql";
import { amount, count, startOf } from "../parts/format";
import { t } from "../texts";

interface Props {
  readonly days: OverviewQuery["salesByDay"];
  readonly shown: number;
}

const height = 220;
const headings = ["overview.day", "resources.orders.name", "field.totalAmount", "overview.former"];

/** Not seen, but read. */
const HIDDEN = {
  ...{ width: "1px", height: "1px", overflow: "hidden" },
  ...{ position: "absolute", clipPath: "inset(50%)", whiteSpace: "nowrap" },
};

const nameOf = (date: string | undefined): string =>
  date ? startOf(date).toLocaleDateString(undefined, { day: "numeric", month: "short" }) : "";

/** The sales of each day as columns, and those of as many days before as a line; a table for who does not see it. */
export function SalesPlot({ days, shown }: Props) {
  const { palette } = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const present = days.slice(-shown);
  const former = days.slice(-2 * shown, -shown);
  useEffect(() => {
    const element = place.current as HTMLDivElement;
    const dayAt = (index: number): string => nameOf(present[index]?.date);
    const stroke = palette.text.secondary;
    const axis = { stroke, grid: { stroke: palette.divider, width: 1 } };
    const points = { show: false };
    const bars = UPlot.paths.bars?.({ size: [0.7, 40] });
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height,
        scales: { x: { time: false, range: [-0.6, present.length - 0.4] } },
        axes: [
          { ...axis, grid: { show: false }, values: (_plot, indices) => indices.map(dayAt) },
          { ...axis, size: 70 },
        ],
        series: [
          { label: t("overview.day"), value: (_plot, index) => dayAt(index) },
          { label: t("field.totalAmount"), fill: palette.primary.main, paths: bars, points },
          { label: t("overview.former"), stroke, dash: [4, 4], points },
        ],
      },
      [
        present.map((_, index) => index),
        ...[present, former].map((all) =>
          present.map((_, index) => Number(all[index]?.amount ?? 0)),
        ),
      ] as UPlot.AlignedData,
      element,
    );
    const fit = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    fit.observe(element);
    return () => {
      fit.disconnect();
      plot.destroy();
    };
  }, [days, palette]);
  return (
    <>
      <GlobalStyles styles={styles} />
      <div ref={place} aria-hidden />
      <Box sx={{ position: "relative" }}>
        <Box component="table" sx={HIDDEN}>
          <caption>{t("overview.sales")}</caption>
          <thead>
            <tr>
              {headings.map((key) => (
                <th key={key} scope="col">
                  {t(key, { smart_count: 2 })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {present.map(({ date, orders, amount: sum }, index) => (
              <tr key={date}>
                <th scope="row">{nameOf(date)}</th>
                <td>{count(orders)}</td>
                <td>{amount(sum)}</td>
                <td>{amount(former[index]?.amount ?? "0.00")}</td>
              </tr>
            ))}
          </tbody>
        </Box>
      </Box>
    </>
  );
}
